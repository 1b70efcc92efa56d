// What these headers of the toolkit declare for a device is there already.
#pragma once
#include "lanewise_cuda.h"
