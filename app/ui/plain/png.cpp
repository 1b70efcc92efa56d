#include "ui/plain/png.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>
#pragma GCC diagnostic pop

#include "base/files.h"

namespace lanewise::ui {

std::string png_of(int width, int height, const unsigned char* rgb) {
    std::string bytes;
    auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<char*>(data), static_cast<size_t>(size));
    };
    stbi_write_png_to_func(append, &bytes, width, height, 3, rgb, width * 3);
    return bytes;
}

void write_png(const std::string& file, int width, int height, const unsigned char* rgb) {
    write_file(file, png_of(width, height, rgb));
}

}  // namespace lanewise::ui
