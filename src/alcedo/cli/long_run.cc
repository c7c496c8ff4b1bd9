#include "alcedo/cli/long_run.h"

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/info/vocabulary_text.h"

namespace alcedo::cli {

bool SomebodyIsLooking() { return isatty(STDERR_FILENO) == 1; }

std::string Duration(double seconds) {
  const auto whole = std::llround(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string ProgressText(const Progress& progress, double seconds) {
  const auto here = static_cast<double>(progress.done - progress.resumed);
  const double rate = here / seconds;
  const std::string objective =
      progress.objective_name.empty()
          ? ""
          : fmt::format(", {} {:.6g}", progress.objective_name, progress.objective);
  const std::string line =
      fmt::format("{}/{} {}{}", progress.done, progress.total, progress.unit, objective);
  // Of the first step of a stage nobody knows how long it took.
  if (here == 0 || !(seconds > 0)) return line;
  return fmt::format("{}, {:.1f} {}/s, {} left", line, rate, progress.unit,
                     Duration(static_cast<double>(progress.total - progress.done) / rate));
}

ProgressLine::ProgressLine(bool quiet, bool stages, std::chrono::seconds log_interval)
    : quiet_(quiet),
      terminal_(SomebodyIsLooking()),
      stages_(stages),
      log_interval_(log_interval),
      last_shown_(terminal_ ? Clock::time_point() : Clock::now()) {}

bool ProgressLine::Due(const Progress& progress, bool new_stage, Clock::time_point now) const {
  // One item alone needs no line of its own.
  if (quiet_ || (!stages_ && progress.total <= 1)) return false;
  if (!terminal_) return now - last_shown_ >= log_interval_;
  return new_stage || progress.done == progress.total ||
         now - last_shown_ >= std::chrono::milliseconds(100);
}

void ProgressLine::Show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool new_stage = progress.stage != last_.stage;
  if (new_stage) stage_start_ = now;
  last_ = progress;
  if (!Due(progress, new_stage, now)) return;
  last_shown_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  fmt::print(stderr, "{}{}{}{}", terminal_ ? "\r\033[K" : "", stages_ ? progress.stage + ": " : "",
             ProgressText(progress, seconds), terminal_ ? "" : "\n");
}

void ProgressLine::Clear() {
  const std::lock_guard lock(mutex_);
  if (!quiet_ && terminal_) fmt::print(stderr, "\r\033[K");
}

Progress ProgressLine::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

std::string DoneText(Index items, double seconds, std::string_view unit,
                     const std::vector<std::string>& outputs) {
  std::string text =
      items > 0 ? fmt::format("{} {} in {}, {:.1f} {}/s", Thousands(items), unit, Duration(seconds),
                              static_cast<double>(items) / std::max(seconds, 1e-9), unit)
                : fmt::format("done in {}", Duration(seconds));
  std::string_view before = "; wrote ";
  for (const std::string& output : outputs) {
    if (output.empty() || output == "-") continue;
    text += fmt::format("{}{}", before, output);
    before = ", ";
  }
  return text;
}

namespace {

// What a handler may do is next to nothing; sem_post and _exit are allowed. Blocking the signals
// and sigwait() would not do: libraries start threads before main(), and the signal would end the
// process there.
sem_t wake_up;
volatile std::sig_atomic_t caught = 0;

void OnSignal(int) {
  if (caught != 0) _exit(kInterrupted);
  caught = 1;
  const int saved = errno;
  sem_post(&wake_up);
  errno = saved;
}

constexpr std::chrono::seconds kLongestWrite{30};

}  // namespace

Interrupts::Interrupts(std::function<std::string()> farewell) : farewell_(std::move(farewell)) {
  sem_init(&wake_up, 0, 0);
  caught = 0;
  try {
    thread_ = std::jthread([this] { WaitForSignal(); });
  } catch (const std::system_error&) {
    return;
  }
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) Catch(number);
}

Interrupts::~Interrupts() {
  for (const auto& [number, action] : before_) sigaction(number, &action, nullptr);
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  sem_post(&wake_up);
}

void Interrupts::Catch(int number) {
  struct sigaction action{};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  before_.emplace_back(number, action);
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

void Interrupts::WaitForSignal() {
  while (sem_wait(&wake_up) != 0) {
  }
  std::unique_lock lock(mutex_);
  if (finished_) return;
  stopping_ = true;
  changed_.wait_for(lock, kLongestWrite, [this] { return writers_ == 0; });
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
