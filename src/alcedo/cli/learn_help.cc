#include "alcedo/cli/learn_help.h"

namespace alcedo::cli {

std::string LearnHelpFooter() {
  return R"(From every picture, scaled down to at most --max-pixels, descriptors of patches on a dense grid
at several scales are computed. --samples of them, the same number from every picture, are projected
by PCA, and the words are learned from these: Gaussians for Fisher Vectors (also good for bov, llc,
vlad and sv), kmeans for the rest of them, a dictionary for sparse coding, random projections of the
descriptors (fourier) for EMK.

Array files (.npy, .npz, .safetensors) hold descriptors made elsewhere, such as the tokens of a ViT:
one file per image, patches x dimensions. They are read with --descriptor external, which is the
default where all inputs are such files.

The memory it takes does not depend on the number of images. A run that was interrupted, or killed,
goes on when the same command is given again, and gives the same bytes. Bad images are listed, and
do not stop the others.

A flag that does not go with the chosen --kind or --descriptor is an error; in a file of options it
is not, so that one file can serve several.

Examples:
  # A vocabulary for Fisher Vectors from all pictures below a folder.
  alcedo learn photos/ --gaussians 256 -o vocabulary.safetensors
  # RootSIFT, PCA to 80 dimensions, k-means for VLAD.
  alcedo learn photos/ --kind kmeans --clusters 64 --sift-root --pca-dimensions 80 -o k.safetensors
  # Tokens of a network, one .npy per image, as they are.
  alcedo learn tokens/ --pca-dimensions 0 --gaussians 64 -o tokens.safetensors
  # Options as a file.
  alcedo learn --gaussians 64 --dump-config > learn.toml
  alcedo learn photos/ --config learn.toml --seed 7 -o vocabulary.safetensors

Exit codes:
  0    the vocabulary was written
  1    an error, in one sentence on standard error; no vocabulary was written
  2    a mistake in the command line
  3    the vocabulary was written, but some images were bad: they are listed on standard error
  130  interrupted; the same command goes on where it stopped
)";
}

}  // namespace alcedo::cli
