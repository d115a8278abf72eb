// Owns the precompiled <ATen/ATen.h> that all engine files share.
