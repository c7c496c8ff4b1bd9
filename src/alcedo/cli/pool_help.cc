#include "alcedo/cli/pool_help.h"

namespace alcedo::cli {

std::string PoolHelpFooter() {
  return R"(Flags of one pooling begin with its name (--lp-p, --democratic-gamma); those without
belong to gmp. A flag that the chosen pooling does not use is an error.

Shapes: one bag gives (D,), and with L lambdas (L, D). Several bags give (n, D) or (n, L, D); a
folder, a 3-D array and --offsets count as several even if there is only one. D is the number of
columns, or --num-blocks times the size of a block. All bags of one file must have one D: the most
common one wins, and the others are bad bags. In a folder they may differ, with a warning.

Names: a bag is called after its file, without the extension; bags of one .npz or .safetensors
also after their array (file.array), bags of one array after their number (file.0, file.1, ...).
Equal names are an error for an output folder; in one file the bags then keep their whole path.
Several bags in OUT.npy have their names in OUT.npy.names.txt, one a line; a .safetensors holds them
in its metadata, with the options, the version and the seed, and the values as "pooled". An output
folder keeps the options in alcedo.json, with what was given to --array, --offsets, --blocks and
--input-weights, and refuses bags pooled with others.

Weights are (N,), and with L lambdas (L, N); those of several bags follow each other.

Examples:
  # One image: the patches x dimensions array of its encodings, the paper's lambda.
  alcedo pool patches.npy --lambda 100 -o image.npy
  # A path of lambdas relative to the mean squared norm of the patches, and each patch's weight.
  alcedo pool patches.npy --lambda 0.01,0.1,1 --lambda-relative --weights alpha.npy -o path.npy
  # A folder of images, one vector each, power- and L2-normalised; go on after an interruption.
  alcedo pool encodings/ -o pooled/ --power 0.5 --l2 --resume
  # Fisher vectors: patches x 2d values, the Gaussian of every patch in another array.
  alcedo pool values.npy --blocks gaussians.npy --num-blocks 256 --report -o fisher.npy
  # Ragged bags in one array, through a pipe.
  cat tokens.npy | alcedo pool - --offsets offsets.npy --pooling democratic -o - > pooled.npy

Exit codes:
  0    all bags were pooled
  1    an error, in one sentence on standard error; no output was written
  2    a mistake in the command line
  3    some bags were bad: they are listed on standard error, all good ones were written
  130  interrupted; bags already in an output folder stay, --resume goes on after them
)";
}

}  // namespace alcedo::cli
