// Owns the precompiled headers: cmake/pch_front.h for the front half, <ATen/ATen.h> and its kin for the
// engine.
