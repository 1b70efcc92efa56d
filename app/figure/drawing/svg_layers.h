// In which order an SVG paints its shapes: those of one look together, wherever the picture stays
// the same.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "figure/drawing/drawing.h"

namespace lanewise {

// What shapes of one element have in common, as the element's attributes.
struct ShapeLook {
    enum class Element : uint8_t { path, polygon, rect, text, cells } element = Element::path;
    std::string own;              // its colours and font
    std::string shared;           // all else, which neighbours of other colours may have as well
    std::string own_stroke = {};  // its one colour as a stroke's, where that may show it as well
    int lattice = -1;             // of cells: which
    bool operator==(const ShapeLook&) const = default;
    bool operator<(const ShapeLook& other) const {
        auto all = [](const ShapeLook& it) {
            return std::tie(it.element, it.own, it.shared, it.own_stroke, it.lattice);
        };
        return all(*this) < all(other);
    }
};

struct Layer {
    ShapeLook look;
    std::vector<const Shape*> shapes;  // in painter's order
};
// Layers beside each other: none lies over another of the same level.
using Level = std::vector<Layer>;

// Puts each shape as low as what lies under it allows.
class Layers {
  public:
    Layers(float width, float height);
    void add(const Shape& shape, const ShapeLook& look);  // `shape` has to outlive this
    // From the bottom up; in each, layers that share attributes stand in a row.
    std::vector<Level> levels() const;

  private:
    struct Painted {
        Box box;
        size_t level, look;
        bool is_text;
    };
    template <typename Visit>
    void each_tile(const Box& box, Visit visit);
    size_t level_of(const Painted& shape, bool joins);

    size_t across_;
    std::vector<std::vector<Painted>> tiles_;  // what lies there; large figures have thousands
    std::vector<Level> levels_;
    std::map<ShapeLook, size_t> looks_;
    std::vector<std::map<size_t, size_t>> layers_;  // of each level: by look, its layer
};

}  // namespace lanewise
