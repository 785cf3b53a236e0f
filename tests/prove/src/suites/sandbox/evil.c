/* A library that says on the host that it was loaded there. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
  int file = open(MARK, O_CREAT | O_WRONLY, 0600);
  if (file >= 0) close(file);
}
