// The last words of a program that cannot go on and cannot throw.
#pragma once

namespace alcedo::cli {

// From now on std::terminate() prints one sentence and ends the process with kFailed, instead of
// aborting. It is called if memory runs out where nothing may be thrown, or for the exception
// itself.
void InstallTerminate();

}  // namespace alcedo::cli
