#include "alcedo/cli/interrupt.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

// What a handler may do is next to nothing; sem_post is allowed. Blocking the signals and sigwait()
// would not do: libraries start threads before main(), and the signal would end the process there.
sem_t wake_up;

void OnSignal(int) {
  const int saved = errno;
  sem_post(&wake_up);
  errno = saved;
}

void Catch(int number) {
  struct sigaction action{};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

}  // namespace

Interrupts::Interrupts(std::function<std::string()> farewell) : farewell_(std::move(farewell)) {
  sem_init(&wake_up, 0, 0);
  thread_ = std::jthread([this] { WaitForSignal(); });
  Catch(SIGINT);
  Catch(SIGTERM);
}

Interrupts::~Interrupts() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  sem_post(&wake_up);
}

void Interrupts::WaitForSignal() {
  while (sem_wait(&wake_up) != 0) {
  }
  std::unique_lock lock(mutex_);
  if (finished_) return;
  stopping_ = true;
  changed_.wait(lock, [this] { return writers_ == 0; });
  PrintLine(farewell_());
  // Not exit(): other threads are still at work on what static destructors would take away.
  _exit(kInterrupted);
}

Interrupts::Writing::Writing(Interrupts& interrupts) : interrupts_(interrupts) {
  std::unique_lock lock(interrupts_.mutex_);
  interrupts_.changed_.wait(lock, [this] { return !interrupts_.stopping_; });
  ++interrupts_.writers_;
}

Interrupts::Writing::~Writing() {
  const std::lock_guard lock(interrupts_.mutex_);
  --interrupts_.writers_;
  interrupts_.changed_.notify_all();
}

LongRun::LongRun(int threads, bool quiet, bool stages, Farewell farewell)
    : threads_(threads),
      quiet_(quiet),
      line_(quiet, stages),
      interrupts_([this, farewell = std::move(farewell)] {
        line_.Clear();
        return farewell(line_.last());
      }) {}

Run LongRun::MakeRun() {
  Run run;
  run.threads = threads_;
  run.progress = [this](const Progress& progress) { line_.Show(progress); };
  run.write = [this](const std::function<void()>& write) { Write(write); };
  run.say = [this](const std::string& sentence) {
    line_.Clear();
    if (!quiet_) PrintLine(sentence);
  };
  return run;
}

void LongRun::Write(const std::function<void()>& write) {
  const Interrupts::Writing writing(interrupts_);
  write();
}

double LongRun::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void LongRun::PrintDone(Index items, std::string_view unit,
                        const std::vector<std::string>& outputs) const {
  if (!quiet_ && SomebodyIsLooking()) PrintLine(DoneText(items, seconds(), unit, outputs));
}

}  // namespace alcedo::cli
