// Sizes that several charts share, in points. Private to figure/.
#pragma once

namespace lanewise {

inline constexpr float kNamesBeside = 560;  // from here on names stand beside their bars, not above
inline constexpr float kBarHeight = 14;
inline constexpr float kNameHeight = 17;  // of a name above its bar
inline constexpr float kAxisHeight = 20;  // of an axis's numbers, and of its title below them

}  // namespace lanewise
