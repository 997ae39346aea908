/* Fault injection at the system call interface, for tests: a library for LD_PRELOAD that counts the calls that a process
   makes on files below one folder, together with the processes that it forks, and lets the n-th of them fail, once or
   from then on.

   The functions fault_* are called by the process itself, through ctypes. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#define FILES 4096
#define TRACE 100000
#define KILLED 99 /* the exit status of a process that was ended by a fault */

enum error { NO_SPACE, IO_ERROR, SHORT_WRITE, KILL };

static char folder[PATH_MAX];
static size_t folder_length;
static char watched[FILES]; /* by file descriptor */

static struct shared {
  char trace[TRACE + 1];
  long calls, injected, fail_at;
  enum error error;
  int persistent, next_write_fails, armed;
} *state; /* of this process and those that it forks */

__attribute__((constructor)) static void share(void) {
  state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (state == MAP_FAILED)
    abort();
}

/* What the process calls. */

void fault_watch(const char *path) {
  strncpy(folder, path, sizeof folder - 1);
  folder_length = strlen(folder);
}

void fault_arm(long number, int kind, int for_good) {
  state->fail_at = number;
  state->error = (enum error)kind;
  state->persistent = for_good;
  state->next_write_fails = 0;
  __atomic_store_n(&state->calls, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&state->injected, 0, __ATOMIC_SEQ_CST);
  memset(state->trace, 0, sizeof state->trace);
  __atomic_store_n(&state->armed, 1, __ATOMIC_SEQ_CST);
}

void fault_disarm(void) {
  __atomic_store_n(&state->armed, 0, __ATOMIC_SEQ_CST);
  state->next_write_fails = 0;
}

long fault_injected(void) { return __atomic_load_n(&state->injected, __ATOMIC_SEQ_CST); }

const char *fault_trace(void) { return state->trace; }

/* Which calls fail. */

static int is_below(const char *path) {
  return folder_length && path && !strncmp(path, folder, folder_length);
}

static int is_watched(int file) { return file >= 0 && file < FILES && watched[file]; }

static int fail(void) {
  __atomic_add_fetch(&state->injected, 1, __ATOMIC_SEQ_CST);
  if (state->error == KILL)
    _exit(KILLED);
  errno = state->error == IO_ERROR ? EIO : ENOSPC;
  return 1;
}

/* Counts a call, by the letter of its kind in the trace, and says whether it fails. A full disk still reads, syncs,
   shortens and deletes; a disk with errors does nothing any more. */
static int is_hit(char kind) {
  if (!__atomic_load_n(&state->armed, __ATOMIC_SEQ_CST))
    return 0;
  long number = __atomic_add_fetch(&state->calls, 1, __ATOMIC_SEQ_CST);
  if (number <= TRACE)
    state->trace[number - 1] = kind;
  if (!state->fail_at || number < state->fail_at)
    return 0;
  if (number == state->fail_at)
    return 1;
  return state->persistent && (state->error == IO_ERROR || strchr("wo", kind));
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) \
    real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

/* Writes: a short write leaves half of the bytes in the file, and the next one finds the disk full. */

#define WRITE(name, arguments, half, whole) \
  ssize_t name arguments { \
    REAL(ssize_t, name, TYPES_##name); \
    if (!is_watched(file)) \
      return whole; \
    if (state->next_write_fails && !state->persistent) { \
      state->next_write_fails = 0; \
      errno = ENOSPC; \
      return -1; \
    } \
    if (is_hit('w')) { \
      if ((state->error == SHORT_WRITE || state->error == KILL) && !state->next_write_fails && size > 1) { \
        state->next_write_fails = 1; \
        ssize_t written = half; \
        if (state->error == KILL) \
          fail(); \
        __atomic_add_fetch(&state->injected, 1, __ATOMIC_SEQ_CST); \
        return written; \
      } \
      fail(); \
      return -1; \
    } \
    return whole; \
  }

#define TYPES_write int, const void *, size_t
#define TYPES_pwrite int, const void *, size_t, off_t
#define TYPES_pwrite64 int, const void *, size_t, off64_t

WRITE(write, (int file, const void *bytes, size_t size), real(file, bytes, size / 2), real(file, bytes, size))
WRITE(pwrite, (int file, const void *bytes, size_t size, off_t at), real(file, bytes, size / 2, at),
      real(file, bytes, size, at))
WRITE(pwrite64, (int file, const void *bytes, size_t size, off64_t at), real(file, bytes, size / 2, at),
      real(file, bytes, size, at))

/* Other calls on open files. */

#define CALL(kind, type, name, types, arguments, values) \
  type name arguments { \
    REAL(type, name, types); \
    if (is_watched(file) && is_hit(kind)) { \
      fail(); \
      return -1; \
    } \
    return real values; \
  }
#define LIST(...) __VA_ARGS__

CALL('s', int, fsync, LIST(int), (int file), (file))
CALL('s', int, fdatasync, LIST(int), (int file), (file))
CALL('t', int, ftruncate, LIST(int, off_t), (int file, off_t size), (file, size))
CALL('t', int, ftruncate64, LIST(int, off64_t), (int file, off64_t size), (file, size))
CALL('r', ssize_t, read, LIST(int, void *, size_t), (int file, void *bytes, size_t size), (file, bytes, size))
CALL('r', ssize_t, pread, LIST(int, void *, size_t, off_t), (int file, void *bytes, size_t size, off_t at),
     (file, bytes, size, at))
CALL('r', ssize_t, pread64, LIST(int, void *, size_t, off64_t), (int file, void *bytes, size_t size, off64_t at),
     (file, bytes, size, at))

int close(int file) {
  REAL(int, close, int);
  if (file >= 0 && file < FILES)
    watched[file] = 0;
  return real(file);
}

/* Calls on names. */

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    va_list more; \
    va_start(more, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more); \
    if (!is_below(path)) \
      return real(path, flags, mode); \
    if (is_hit(flags & O_CREAT ? 'o' : 'O')) { \
      fail(); \
      return -1; \
    } \
    int file = real(path, flags, mode); \
    if (file >= 0 && file < FILES) \
      watched[file] = 1; \
    return file; \
  }

OPEN(open)
OPEN(open64)

int unlink(const char *path) {
  REAL(int, unlink, const char *);
  if (is_below(path) && is_hit('u')) {
    fail();
    return -1;
  }
  return real(path);
}

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  if (is_below(from) && is_hit('n')) {
    fail();
    return -1;
  }
  return real(from, to);
}
