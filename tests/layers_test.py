"""Holds the include arrows of app/: a layer may include itself and the layers below it, and in a
layer of several rooms a room itself and the rooms above it in the layer's README.md; a third-party
header may be seen only in the layers that own it; no two headers define one type; and only lab may
ask which operation it is at. Prints every violation."""
import pathlib
import re
import sys

# Bottom to top; a layer may include those before it.
LAYERS = ["base", "ptx", "sim", "trace", "model", "compile", "gpu", "course", "figure", "lab",
          "service", "hub", "ui", "engine", "window", "web"]
# Layers that a layer could include by the order above, but must not.
FORBIDDEN = {
    "sim": {"trace"},
    "compile": {"ptx", "sim", "trace", "model"},
    "gpu": {"ptx", "trace", "model", "compile"},
    "figure": {"compile", "gpu"},
    "hub": {"gpu", "compile", "ptx", "sim", "trace", "model", "figure", "lab"},
    "ui": {"gpu", "compile", "ptx", "hub"},
    "engine": {"ui"},
    "web": {"hub", "engine", "window"},
    "window": {"lab", "gpu", "compile", "ptx", "sim", "trace", "model", "hub", "engine"},
}
OWNERS = {
    r"imgui.*|.*GLFW/.*|glad/.*|EGL/.*|stb_.*": {"ui"},
    r"cuda.*|cublas.*|nvml.*|cupti.*": {"gpu"},
    r"nvrtc.*": {"compile"},
    r"nlohmann/.*": {"model", "lab", "service", "hub", "ui", "engine", "web"},
    r"boost/.*": {"hub"},
    # Those that link it: the page's build finds its headers nowhere else.
    r"fmt/.*": {"model", "compile", "gpu", "course", "figure", "lab", "service", "hub", "ui", "engine"},
    r"toml\+\+/.*|cmark.*": {"course"},
}
# Which course a stage is of matters to its code in lab alone. Whoever stands elsewhere asks the
# operation for the property that matters there (course/operation.h, whose table names them all).
ASKS_WHICH = re.compile(r'\bis_product\(|"matmul"|[!=]= "transpose"')
MAY_ASK = {"lab", "trace"}  # trace's is_product is of instructions
TABLE = "course/operation.cpp"
TYPE = re.compile(r"^(?:struct|class|enum class|union) (\w+)(?: final)?(?: : [^;{]*)? ?\{")
ROOM = re.compile(r"^\| (\w+) \|", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def rooms_of(app, layer):
    """The rooms of a layer, in order: the first column of its README's table."""
    readme = app / layer / "README.md"
    return [room for room in ROOM.findall(readme.read_text()) if room != "room"] if readme.is_file() else []


def wrong_rooms(app, rooms):
    """Folders that no README names, rooms that are no folders, and folders within rooms."""
    for layer, names in rooms.items():
        folders = {p.name for p in (app / layer).iterdir() if p.is_dir()}
        for name in sorted(folders ^ set(names)):
            yield (f"app/{layer}/{name}: " + ("add it to the table in README.md there"
                                              if name in folders else "README.md names a room that is not there"))
        for name in sorted(folders):
            for inner in (app / layer / name).iterdir():
                if inner.is_dir():
                    yield f"{inner.relative_to(app.parent)}: a room has no rooms of its own"


def enters_wrongly(path, target, rooms):
    """Does `path` include a room that comes after its own, or, of no room, any room?"""
    mine, other = path.split("/"), target.split("/")
    if mine[0] != other[0] or len(other) < 3:
        return False
    order = rooms[mine[0]]
    return len(mine) < 3 or order.index(other[1]) > order.index(mine[1])


def doubles(app, files):
    """Types of one name that two headers define."""
    seen = {}
    for path in files:
        if path.suffix != ".h":
            continue
        for line in path.read_text().splitlines():
            if match := TYPE.match(line):
                seen.setdefault(match[1], []).append(path.relative_to(app))
    for name, where in sorted(seen.items()):
        if len(where) > 1:
            yield f"{name} is defined in {' and in '.join(map(str, where))}: rename one"


def violations(root):
    app = root / "app"
    files = sorted(p for p in app.rglob("*") if p.suffix in (".h", ".cpp"))
    rooms = {layer: rooms_of(app, layer) for layer in LAYERS}
    yield from wrong_rooms(app, rooms)
    yield from doubles(app, files)
    for path in files:
        layer = path.relative_to(app).parts[0]
        if layer not in LAYERS:
            yield f"{path}: folder '{layer}' is not a layer; add it to LAYERS"
            continue
        mine = str(path.relative_to(app))
        for number, line in enumerate(path.read_text().splitlines(), 1):
            where = f"{path.relative_to(root)}:{number}: "
            if (layer not in MAY_ASK and path != app / TABLE
                    and ASKS_WHICH.search(line.split("//")[0])):
                yield where + "asks which operation it is; ask course/operation.h for a property"
            match = INCLUDE.match(line)
            if not match:
                continue
            target = match[2]
            if match[1] == '"':
                if not (app / target).is_file():
                    yield where + f'"{target}" does not exist below app/'
                    continue
                other = target.split("/")[0]
                if (LAYERS.index(other) > LAYERS.index(layer)
                        or other in FORBIDDEN.get(layer, ())):
                    yield where + f"{layer} must not include {other}"
                if enters_wrongly(mine, target, rooms):
                    yield where + f"{target} is in a later room; app/{layer}/README.md has the order"
            for pattern, owners in OWNERS.items():
                if re.fullmatch(pattern, target) and layer not in owners:
                    yield where + f"only {', '.join(sorted(owners))} may include <{target}>"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(violations(root))
    print("\n".join(found) or "layers: every include follows the arrows, and none asks which course")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
