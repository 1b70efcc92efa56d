"""Holds the include arrows of app/: a layer may include itself and the layers below it, a
third-party header may be seen only in the layers that own it, and only lab may ask which operation
it is at. Prints every violation."""
import pathlib
import re
import sys

# Bottom to top; a layer may include those before it.
LAYERS = ["base", "ptx", "sim", "trace", "model", "compile", "gpu", "course", "figure", "lab",
          "service", "ui"]
# Layers that a layer could include by the order above, but must not.
FORBIDDEN = {
    "sim": {"trace"},
    "compile": {"ptx", "sim", "trace", "model"},
    "gpu": {"ptx", "trace", "model", "compile"},
    "figure": {"compile", "gpu"},
    "ui": {"gpu", "compile", "ptx"},
}
OWNERS = {
    r"imgui.*|.*GLFW/.*|glad/.*|EGL/.*|stb_.*": {"ui"},
    r"cuda.*|cublas.*|nvml.*|cupti.*": {"gpu"},
    r"nvrtc.*": {"compile"},
    r"nlohmann/.*": {"model", "lab", "service", "ui"},
    r"toml\+\+/.*|cmark.*": {"course"},
}
# Which course a stage is of matters to its code in lab alone. Whoever stands elsewhere asks the
# operation for the property that matters there (course/operation.h, whose table names them all).
ASKS_WHICH = re.compile(r'\bis_product\(|"matmul"|[!=]= "transpose"')
MAY_ASK = {"lab", "trace"}  # trace's is_product is of instructions
TABLE = "course/operation.cpp"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def violations(root):
    app = root / "app"
    files = sorted(p for p in app.rglob("*") if p.suffix in (".h", ".cpp"))
    for path in files:
        layer = path.relative_to(app).parts[0] if path.parent != app else None
        if layer is not None and layer not in LAYERS:
            yield f"{path}: folder '{layer}' is not a layer; add it to LAYERS"
            continue
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
                if layer and (LAYERS.index(other) > LAYERS.index(layer)
                              or other in FORBIDDEN.get(layer, ())):
                    yield where + f"{layer} must not include {other}"
            for pattern, owners in OWNERS.items():
                if re.fullmatch(pattern, target) and layer is not None and layer not in owners:
                    yield where + f"only {', '.join(sorted(owners))} may include <{target}>"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(violations(root))
    print("\n".join(found) or "layers: every include follows the arrows, and none asks which course")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
