// What this header of the toolkit declares for a device is there already.
#pragma once
#include "lanewise_cuda.h"
