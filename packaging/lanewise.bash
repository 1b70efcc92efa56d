# Completion for lanewise and lanewise-engine in bash: commands, options, their values, stages, knobs, views, files.
# Everything is asked of the programs themselves, so that nothing here can be out of date.

# The words for $cur, with blanks between them in $1, as COMPREPLY.
_lanewise_reply() {
    local word
    COMPREPLY=()
    for word in $1; do
        [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
    done
}

_lanewise_files() {
    compopt -o filenames 2>/dev/null
    local file
    COMPREPLY=()
    while IFS= read -r file; do
        [[ -d $file || -z $1 || $file =~ $1 ]] && COMPREPLY+=("$file")
    done < <(compgen -f -- "$cur")
}

# The lines of "$@ --help" that begin with blanks and a name: "  --rows TEXT=4096   rows of …".
_lanewise_help() { "$@" --help 2>/dev/null; }
_lanewise_options() {
    local line
    while IFS= read -r line; do
        [[ $line =~ ^\ +(-[^\ ]+) ]] && printf '%s ' "${BASH_REMATCH[1]//,/ }"
        [[ $line =~ ^\ +-h,\ +(--help) ]] && printf -- '--help '
    done < <(_lanewise_help "$@")
}
_lanewise_commands() {
    local line in_list=
    while IFS= read -r line; do
        if [[ ${line,,} == subcommands: ]]; then in_list=yes
        elif [[ -z $line ]]; then in_list=
        elif [[ $in_list && $line =~ ^\ \ ([a-z-]+) ]]; then printf '%s ' "${BASH_REMATCH[1]}"
        fi
    done < <(_lanewise_help "$1")
}

# The values of option $1, where its help names them all: "dark, light or projector", "{a,b}".
_lanewise_values() {
    local option=$1 line text= found=
    shift
    while IFS= read -r line; do
        if [[ $found && ! $line =~ ^\ +- && -n $line ]]; then text+=" $line"; continue; fi
        found=
        [[ $line =~ ^\ +([^ ]+,\ *)?"$option"([\ ,]|$) ]] && found=yes && text=$line
    done < <(_lanewise_help "$@")
    if [[ $text =~ \{([^}]*)\} ]]; then printf '%s' "${BASH_REMATCH[1]//,/ }"; return; fi
    local list='([a-z0-9_]+, )+(or )?[a-z0-9_]+( or [a-z0-9_]+)?'
    [[ $text =~ $list ]] || return 0
    text=${BASH_REMATCH[0]//,/}
    printf '%s' "${text// or / }"
}

# Ids of stages, and the same without their folder.
_lanewise_stages() {
    local id rest
    while read -r id rest; do
        [[ $id == */* ]] && printf '%s %s ' "$id" "${id##*/}"
    done < <("$1" stages 2>/dev/null)
}

# NAME=VALUE for the knobs of the stage that is on the line.
_lanewise_knobs() {
    local engine=$1 word stages
    stages=" $(_lanewise_stages "$engine") "
    for word in "${COMP_WORDS[@]:1}"; do
        [[ -n $word && $stages == *" $word "* ]] || continue
        "$engine" stages --json 2>/dev/null | awk -v wanted="$word" '
            function text(line) { sub(/^[^:]*: *"/, "", line); sub(/",?$/, "", line); return line }
            /^    "id": /         { id = text($0); short = id; sub(/.*\//, "", short)
                                    here = id == wanted || short == wanted }
            /^        "choices": / { in_list = 1; count = 0; next }
            in_list && /\]/       { in_list = 0 }
            in_list               { value = $1; sub(/,/, "", value); values[++count] = value }
            here && /^        "name": / { for (i = 1; i <= count; ++i) printf "%s=%s ", text($0), values[i] }'
        return
    done
}

_lanewise() {
    local program=$1 command= cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local engine=lanewise-engine
    # bash cuts words at = and :, so that --set PAD=1 comes as four.
    local start=$COMP_CWORD whole=$cur
    if [[ $previous == = ]]; then
        whole=${COMP_WORDS[COMP_CWORD-2]}=$cur start=$((COMP_CWORD - 2))
    elif [[ $cur == = ]]; then
        whole=$previous= start=$((COMP_CWORD - 1))
    fi
    previous=${COMP_WORDS[start-1]}
    COMPREPLY=()
    if [[ ${program##*/} == lanewise-engine ]]; then
        engine=$program
        if ((COMP_CWORD == 1)); then
            _lanewise_reply "$(_lanewise_commands "$program") --help --version"
            return
        fi
        command=${COMP_WORDS[1]}
    elif [[ $program == */* && -x ${program%/*}/lanewise-engine ]]; then
        engine=${program%/*}/lanewise-engine
    fi
    case $previous in
        --set)
            local word value=$cur
            [[ $whole == *=* ]] || value=
            [[ $cur == = ]] && value=
            for word in $(_lanewise_knobs "$engine"); do
                [[ $word == "$whole"* ]] || continue
                # Behind the = only the value is this word's.
                [[ $whole == *=* ]] && word=${word#*=}
                [[ $word == "$value"* ]] && COMPREPLY+=("$word")
            done
            return ;;
        --view) _lanewise_reply "$("$program" --list-views 2>/dev/null | while read -r id _; do printf '%s ' "$id"; done)"
            return ;;
        --stage) _lanewise_reply "$(_lanewise_stages "$engine")"; return ;;
        --out | --save | --record | --include | --screenshot | --fit) _lanewise_files ''; return ;;
    esac
    if [[ $cur == -* ]]; then
        _lanewise_reply "$(_lanewise_options "$program" $command)"
        return
    fi
    if [[ $previous == --* ]]; then
        local values
        values=$(_lanewise_values "$previous" "$program" $command)
        if [[ $values ]]; then _lanewise_reply "$values"; return; fi
    fi
    if [[ $command == rules ]]; then _lanewise_files '\.csv$'; return; fi
    _lanewise_files '\.(cu|ptx|lanewise)$'
    local files=("${COMPREPLY[@]}")
    COMPREPLY=()
    [[ ${program##*/} == lanewise ]] || _lanewise_reply "$(_lanewise_stages "$engine")"
    COMPREPLY+=("${files[@]}")
}

complete -F _lanewise lanewise lanewise-engine
