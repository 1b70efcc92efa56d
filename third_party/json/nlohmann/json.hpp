// nlohmann's JSON with one gap closed; it stands before the distribution's header, so that every file
// has the same. To read 1e40 as an int is undefined there: its from_json casts a floating-point number
// to whatever integer is asked for. Here that throws what a field of the wrong type throws, a
// Json::exception.
#pragma once
#include_next <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace lanewise {

class NumberDoesNotFit : public nlohmann::detail::exception {
  public:
    explicit NumberDoesNotFit(const std::string& number)
        : exception(406, ("[json.exception.out_of_range.406] the number " + number +
                          " does not fit its field")
                             .c_str()) {}
};

// Whether the number without its fraction is one of Integer's. NaN is none.
template <typename Integer>
bool holds(double number) {
    constexpr int bits = std::numeric_limits<Integer>::digits;
    const double whole = std::trunc(number), end = std::ldexp(1.0, bits);
    return whole >= (std::is_signed_v<Integer> ? -end : 0.0) && whole < end;
}

template <typename Value, bool = std::is_enum_v<Value>>
struct IntegerOf {
    using type = Value;
};
template <typename Value>
struct IntegerOf<Value, true> {
    using type = std::underlying_type_t<Value>;
};

}  // namespace lanewise

namespace nlohmann {

template <typename Value>
struct adl_serializer<
    Value, std::enable_if_t<(std::is_integral_v<Value> && !std::is_same_v<Value, bool>) ||
                            std::is_enum_v<Value>>> {
    template <typename BasicJson>
    static auto from_json(const BasicJson& json, Value& value)
        -> decltype(::nlohmann::from_json(json, value), void()) {
        if (json.is_number_float()) {
            const auto number = json.template get<double>();
            if (!lanewise::holds<typename lanewise::IntegerOf<Value>::type>(number))
                throw lanewise::NumberDoesNotFit(json.dump());
        }
        ::nlohmann::from_json(json, value);
    }

    template <typename BasicJson, typename Given>
    static auto to_json(BasicJson& json, Given&& value)
        -> decltype(::nlohmann::to_json(json, std::forward<Given>(value)), void()) {
        ::nlohmann::to_json(json, std::forward<Given>(value));
    }
};

}  // namespace nlohmann
