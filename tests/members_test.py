"""Holds the types of app/ to what one can keep in mind: no struct, class or union has more than 25
data members of its own. Static members, methods, nested types, aliases and enumerators are none. A
member of an anonymous struct or union counts where it can be named: in the type around it.

  members_test.py ROOT [--list]    --list: the largest, instead of the verdict

The counter is tried on small samples first, and on a type that is planted with one member too many."""
import pathlib
import re
import sys

MOST = 25

# What is no code: comments, the texts of strings and characters, and what the preprocessor reads.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n\\]|\\.)*|R"(\w*)\(.*?\)\1"'
                     r"""|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*'""", re.S | re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|::|->|\[\[|\]\]|\S")
WORD = re.compile(r"[A-Za-z_]")
OPENS = {"(": ")", "[": "]", "{": "}", "[[": "]]"}
KEYS = ("struct", "class", "union")
NO_MEMBER = ("using", "typedef", "friend", "static", "static_assert", "constexpr", "template")
# May stand between < and > where they are a template's; of an expression, others stand there.
IN_ANGLES = re.compile(r"[\w:]+|[,*&.<>()\[\]-]|->")


def tokens_of(text):
    """(token, its line), without what is no code."""
    def blank(match):
        keeps_place = '""' if match[0][0] in "\"'R" else " "
        return keeps_place + "\n" * match[0].count("\n")
    found, line, at = [], 1, 0
    code = NO_CODE.sub(blank, text)
    for match in TOKEN.finditer(code):
        line += code.count("\n", at, match.start())
        at = match.start()
        found.append((match[0], line))
    return found


def past(words, at):
    """Behind the bracket that closes the one at `at`."""
    closes = []
    while at < len(words):
        if words[at] in OPENS:
            closes.append(OPENS[words[at]])
        elif closes and words[at] == closes[-1]:
            closes.pop()
        at += 1
        if not closes:
            return at
    return at


def past_angles(words, at):
    """Behind the > of a template's <; `at` itself where the < is an expression's."""
    depth, i = 0, at
    while i < len(words) and IN_ANGLES.fullmatch(words[i]):
        if words[i] in "([":
            i = past(words, i)
            continue
        depth += {"<": 1, ">": -1}.get(words[i], 0)
        i += 1
        if depth == 0:
            return i
    return at


def past_one(words, at):
    """Behind the token at `at`, or all that it opens."""
    if words[at] in OPENS:
        return past(words, at)
    if words[at] == "<" and at > 0 and WORD.match(words[at - 1]):
        return max(past_angles(words, at), at + 1)
    return at + 1


def head_of_type(words, at):
    """(name, where its { is) of the type that is defined at the key word there; None: it is only named."""
    name, i = "", at + 1
    while i < len(words) and words[i] in ("[[", "alignas"):
        i = past(words, i + (words[i] == "alignas"))
    while i < len(words) and (WORD.match(words[i]) or words[i] in ("::", "<")):
        if words[i] == "<":
            i = past_one(words, i)
            continue
        if words[i] == "final":
            i += 1
            break
        if name and not name.endswith("::") and words[i] != "::":
            return None  # "struct Shape shape"
        name += words[i]
        i += 1
    if i < len(words) and words[i] == ":":
        while i < len(words) and words[i] not in "{;)":
            i = past_one(words, i)
    return (name, i) if i < len(words) and words[i] == "{" else None


def past_function(words, at):
    """Behind a function's body or its semicolon; `at`: its parameters' bracket."""
    i, in_list = past(words, at), False
    while i < len(words):
        if words[i] == ";":
            return i + 1
        if words[i] == ":":
            in_list = True  # of a constructor's members, each with brackets of its own
        body = words[i] == "{" and not (in_list and (WORD.match(words[i - 1]) or words[i - 1] == ">"))
        i = past_one(words, i)
        if body:
            return i
    return i


def past_skipped(words, at):
    """Behind a declaration that is no member: its semicolon, or the body of its function."""
    i = at
    while i < len(words):
        if words[i] == ";":
            return i + 1
        if words[i] == "=":  # its value may have braces
            while i < len(words) and words[i] != ";":
                i = past_one(words, i)
            continue
        if words[i] == "(" and not words[at] in ("using", "typedef", "static_assert"):
            return past_function(words, i)
        i = past_one(words, i)
    return i


def past_declarators(words, at):
    """(how many members are declared, where the next declaration begins)."""
    count, i, has_type, in_value = 0, at, False, False
    while i < len(words):
        word = words[i]
        if word == ";":
            return count + has_type, i + 1
        if word == "," and has_type:
            count, in_value = count + 1, False
        elif word in ("=", "{", ":"):
            in_value = True
        elif word == "operator" and not in_value:
            while words[i] != "(" or words[i - 1] == "operator":
                i += 1
            return count, past_function(words, i)
        elif word == "alignas":
            i += 1  # its bracket is no function's
        elif word == "(" and not in_value:
            if words[i + 1] not in ("*", "&"):
                return count, past_function(words, i)
            in_value = True  # a pointer to a function: its parameters make it none
        has_type = has_type or bool(WORD.match(word))
        i = past_one(words, i)
    return count, i


def members(words, at):
    """How many data members the type has whose { is at `at`."""
    end, count, i = past(words, at) - 1, 0, at + 1
    words = words[:end]
    while i < end:
        word = words[i]
        if word in ("public", "protected", "private") and words[i + 1:i + 2] == [":"]:
            i += 2
        elif word in (";", "[["):
            i = past_one(words, i)
        elif word == "template":
            i = past_angles(words, i + 1)
            if words[i] == "requires":
                i = past(words, i + 1)
        elif word == "inline":
            i += 1
        elif word == "enum":
            while words[i] not in "{;":
                i += 1
            if words[i] == "{":
                declared, i = past_declarators(words, past(words, i))
                count += declared
        elif word in KEYS and (head := head_of_type(words, i)):
            after = past(words, head[1])
            if not head[0] and words[after:after + 1] == [";"]:
                count += members(words, head[1])
            declared, i = past_declarators(words, after)
            count += declared
        elif word in KEYS and words[i + 2:i + 3] == [";"]:
            i += 3  # a nested type, defined elsewhere
        elif word in NO_MEMBER:
            i = past_skipped(words, i)
        else:
            declared, i = past_declarators(words, i)
            count += declared
    return count


def types(text):
    """(name, line, data members) of each type that is defined in `text`; "" has no name."""
    found = tokens_of(text)
    words = [word for word, _ in found]
    for i, (word, line) in enumerate(found):
        if word in KEYS and (i == 0 or words[i - 1] != "enum"):
            if head := head_of_type(words, i):
                yield head[0], line, members(words, head[1])


SAMPLES = [
    ("struct A { int a, b = f(1, 2), *c; };", "A 3"),
    ("struct A { void f(); int g(int a, int b) const { int c; return c; } bool operator==(const A&) const = default; };",
     "A 0"),
    ("class A : public B<int, 2>, C { public: A(int x) : a_(x), b_{x} { f(); } ~A(); private: int a_; long b_; };",
     "A 2"),
    ("struct A { struct B { int a, b; }; struct { int c; } d, e; union { int f; float g; }; enum class K { h, i } k = K::h; };",
     "A 5, B 2,  1,  2"),
    ("struct A { static int a; static constexpr int b[] = {1, 2}; using C = int; friend struct D; static int f() { return 1; } int e; };",
     "A 1"),
    ("struct A { // int a; b;\n /* int c; */ int d; const char* e = \"; int f;\"; char g = ';'; long h = 1'000'000; };",
     "A 4"),
    ("struct A { void (*f)(int, int) = nullptr; std::function<void(A&, int)> g; std::map<int, std::pair<int, int>> h{}; };",
     "A 3"),
    ("struct A { uint32_t a : 3, b : 4; alignas(16) float c[4] = {0, 0}; std::array<int, 2> d[2] = {{{1, 2}}, {{3, 4}}}; };",
     "A 4"),
    ("template <class T> struct A final { template <class U> void f(U u) { u < 1; } T a; std::vector<T> b = std::vector<T>{1, 2}; };",
     "A 2"),
    ("enum class A { a, b, c }; struct B; void f(struct C c); auto g() { struct D { int a; } d; return d; }",
     "D 1"),
    ("struct A { operator bool() const { return a; } void operator()(int) {} A& operator=(A&&) = default; int a; };",
     "A 1"),
    ("struct A { std::function<int(int)> f = [](int x) { int y = x; return y; }; [[nodiscard]] int g() const; int h; };",
     "A 2"),
    ("#define S struct A { int a; \\\n int b; };\nstruct B::C { int c; const std::string& d() const; B (*e)(); };",
     "B::C 2"),
    ("struct A { std::atomic<bool> a{false}; bool b = 1 < 2, c = 3 > 2; auto f() -> std::vector<int> { return {}; } };",
     "A 3"),
    ("class A { class B; struct C; class D* d; struct B b; public: enum class E; A(const A&) = delete; int f; };",
     "A 3"),
    (f"struct Planted {{ {' '.join(f'int a{i};' for i in range(MOST + 1))} }};", f"Planted {MOST + 1}"),
]


def main():
    root = pathlib.Path(sys.argv[1])
    found = []
    for text, wanted in SAMPLES:
        counted = ", ".join(f"{name} {count}" for name, _, count in types(text))
        if counted != wanted:
            found.append(f"the counter says \"{counted}\", not \"{wanted}\", of: {text}")
    all_types = [(count, name, f"{path.relative_to(root)}:{line}")
                 for path in sorted((root / "app").rglob("*")) if path.suffix in (".h", ".cpp")
                 for name, line, count in types(path.read_text())]
    if "--list" in sys.argv:
        for count, name, where in sorted(all_types, reverse=True)[:60]:
            print(f"{count:4} {name:30} {where}")
    found += [f"{where}: {name or 'a type without a name'} has {count} data members; give those that "
              f"belong together a type of their own" for count, name, where in all_types if count > MOST]
    print("\n".join(found) or f"members: none of {len(all_types)} types has more than {MOST}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
