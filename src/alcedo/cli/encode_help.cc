#include "alcedo/cli/encode_help.h"

namespace alcedo::cli {

std::string EncodeHelpFooter() {
  return R"(Descriptors of patches on a dense grid are projected, encoded with the words of the vocabulary,
pooled, and normalised. Pictures are scaled down to at most --max-pixels first, as the vocabulary
was learned. Without --lambda, gmp takes 1 relative to the mean squared norm of the encodings;
--lambda 100 is absolute, as in the paper, unless --lambda-relative is given too.

A vocabulary that was learned from array files encodes array files (.npy, .npz, .safetensors):
descriptors made elsewhere, patches x dimensions, one file per image. An array of N x 2 positions
beside them, in [0, 1], makes pyramids possible.

Options come from the flags, then the --config file, then (for pictures and patches) the vocabulary,
then the defaults. A flag that does not go with the chosen encoder, pooling or descriptor is an
error; in a file it is not, so that one file can serve several.

Shapes: one picture gives (D,), and with L lambdas (L, D); several, a folder and a list give (n, D)
or (n, L, D). D is the dimension of the encoding times the cells of the pyramid.

OUT.npy comes with OUT.npy.json, which holds all options, the checksum of the vocabulary and the bad
images, and where there are several with OUT.npy.names.txt, one name a line. OUT.safetensors has all
that in its metadata. An image is called as it was given, a file of a folder by its path in there.

A feature store is a folder of .npy shards with an index. It is never half written: a run that was
interrupted, or killed, goes on when the same command is given again, new images are added, and
those that are done, with the contents they have now, are skipped. Bad images are in failures.csv. A
store holds one set of options, and refuses others.

Examples:
  # One picture, with the vocabulary that comes along.
  alcedo encode photo.jpg -o photo.npy
  # A folder into a store: GMP Fisher Vectors in the paper's pyramid, power- and L2-normalised.
  alcedo encode photos/ -o features/ --pyramid 1,3x1 --power 0.5 --l2
  # Several lambdas at once, soft assignment, a vocabulary of your own.
  alcedo encode photos/ --vocabulary v.safetensors --fv-assignment soft --lambda 10,100 -o f.npy
  # Tokens of a network, with the vocabulary that was learned from such.
  alcedo encode tokens/ --vocabulary tokens.safetensors -o features/
  # Options as a file.
  alcedo encode --pooling sum --power 0.5 --l2 --dump-config > sum.toml
  alcedo encode photos/ --config sum.toml -o sum/

Exit codes:
  0    all images were encoded
  1    an error, in one sentence on standard error; no output was written
  2    a mistake in the command line
  3    some images were bad: they are listed on standard error, all good ones were written
  130  interrupted; a store has all shards so far, and the same command goes on with it
)";
}

}  // namespace alcedo::cli
