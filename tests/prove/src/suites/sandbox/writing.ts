/** Ways to change what lies outside, or to leave something that acts there later. */
import type { EscapeAttempt } from './attempt.ts'

export const writing: readonly EscapeAttempt[] = [
  {
    name: 'write to a file outside',
    language: 'sh',
    script: ({ outside }) => `echo gone > ${outside}; echo gone >> ${outside}`,
  },
  {
    name: 'write to a file at home',
    language: 'sh',
    script: ({ home }) => `mkdir -p $(dirname ${home}); echo gone > ${home}`,
  },
  {
    name: 'write through the root of the first process',
    language: 'sh',
    script: ({ outside }) => `echo gone > /proc/1/root${outside}`,
  },
  {
    name: 'write through a link that was planted from outside',
    language: 'sh',
    script: 'echo gone > planted; echo gone > planted-folder/canary; echo gone > planted-folder/fresh',
  },
  {
    name: 'write through a link made inside',
    language: 'sh',
    script: ({ folder }) => `ln -s ${folder} w; echo gone > w/canary; mkdir -p w/made; rm -f w`,
  },
  {
    name: 'remove a file outside',
    language: 'sh',
    script: ({ outside }) => `rm -f ${outside}; unlink ${outside}; rm -f planted-folder/canary`,
  },
  {
    name: 'rename a file outside',
    language: 'sh',
    script: ({ outside }) => `mv ${outside} moved; mv planted-folder/canary moved; mv moved ${outside}.new`,
  },
  {
    name: 'change the times of a file outside',
    language: 'sh',
    script: ({ outside }) => `touch -d 2001-01-01 ${outside}; touch -d 2001-01-01 planted`,
  },
  {
    name: 'change the mode of a file outside',
    language: 'sh',
    script: ({ outside }) => `chmod 777 ${outside}; chmod 777 planted; chmod 777 planted-folder`,
  },
  {
    name: 'change the owner of a file outside',
    language: 'sh',
    script: ({ outside }) => `chown 12345 ${outside} planted`,
  },
  {
    name: 'write into the hidden part of the workspace',
    language: 'sh',
    script:
      'echo gone > .state/canary; echo gone > .state/fresh; rm -rf .state; mkdir .state; echo gone > .state/canary',
  },
  {
    name: 'write into a read-only workspace',
    language: 'sh',
    profile: 'read-only',
    script:
      'echo gone > kept; rm -f kept; echo fresh > fresh-file; mkdir fresh-folder; mv kept moved; touch -d 2001-01-01 kept; chmod 777 kept',
  },
  {
    name: 'write into a read-only workspace past its mount',
    language: 'sh',
    profile: 'read-only',
    script:
      'mount -o remount,rw /workspace; echo gone > kept; for p in /proc/[0-9]*; do echo gone > $p/root/workspace/kept; echo gone > $p/cwd/kept; done',
  },
  {
    name: 'write with a descriptor opened again',
    language: 'python',
    profile: 'read-only',
    script:
      "fd = os.open('kept', os.O_RDONLY)\nos.write(os.open(f'/proc/self/fd/{fd}', os.O_WRONLY), b'gone')",
  },
  {
    name: 'write into a shared map of a file',
    language: 'python',
    profile: 'read-only',
    script:
      "fd = os.open('kept', os.O_RDONLY)\nm = mmap.mmap(fd, 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)\nm[0:4] = b'gone'",
  },
  {
    name: 'write into programs and settings',
    language: 'sh',
    script:
      'for f in /usr/bin/true /usr/lib/os-release /etc/passwd /etc/hosts /etc/ld.so.preload /etc/ld.so.cache /etc/ssl/openssl.cnf /opt/node/bin/node /bin/new /probe; do (echo x >> $f) 2>/dev/null && echo GOT-OUT $f; done',
  },
  {
    name: 'make the tree writable',
    language: 'sh',
    script: 'for p in / /usr /etc /proc /dev; do mount -o remount,rw $p && echo GOT-OUT; done',
  },
  {
    name: 'leave a program that runs as its owner',
    language: 'sh',
    script:
      'cp /usr/bin/id suid; chmod 4755 suid; chmod u+s suid; chmod 6755 suid; chmod 2755 suid; install -m 4755 /usr/bin/id suid2',
  },
  {
    name: 'create a file that runs as its owner',
    language: 'python',
    script:
      "each(['s1', 's2', 's3'], lambda p: os.open(p, os.O_CREAT | os.O_WRONLY, 0o6755))\nos.mknod('s4', 0o104755)",
  },
  {
    name: 'create such a file with the newest calls',
    language: 'python',
    script:
      "open('s5', 'w').close()\ncall(452, -100, ctypes.c_char_p(b's5'), 0o4755, 0)\ncall(437, -100, ctypes.c_char_p(b's6'), ctypes.c_char_p(struct.pack('<QQQ', os.O_CREAT | os.O_WRONLY, 0o4755, 0)), 24)\ncall(85, ctypes.c_char_p(b's7'), 0o4755)\ncall(268, -100, ctypes.c_char_p(b's5'), 0o4755)",
  },
  {
    name: 'give a file capabilities',
    language: 'sh',
    script:
      'cp /usr/bin/id capable; setcap cap_sys_admin+ep capable && echo GOT-OUT; setfattr -n security.capability -v 0sAQAAAgAgAAAAAAAAAAAAAAAAAAA= capable && echo GOT-OUT; rm -f capable',
  },
  {
    name: 'run a program that gains rights',
    language: 'sh',
    script:
      'for p in /usr/bin/su /usr/bin/mount /usr/bin/passwd /usr/bin/newgrp /usr/bin/sudo; do [ -u $p ] && $p --help >/dev/null 2>&1; done; su root -c id 2>&1 </dev/null | grep uid=0 && echo GOT-OUT; sudo -n id 2>/dev/null && echo GOT-OUT',
  },
  {
    name: 'load a library on the host side',
    language: 'sh',
    env: ({ workspace }) => ({ LD_PRELOAD: `${workspace}/evil.so:/workspace/evil.so` }),
    script: 'true',
  },
  {
    name: 'load a library on the host side with a network',
    language: 'sh',
    profile: 'network',
    env: ({ workspace }) => ({
      LD_PRELOAD: `${workspace}/evil.so`,
      LD_LIBRARY_PATH: workspace,
      LD_AUDIT: `${workspace}/evil.so`,
    }),
    script: 'true',
  },
  {
    name: 'start a script of the workspace on the host side',
    language: 'sh',
    profile: 'network',
    env: ({ workspace }) => ({
      NODE_OPTIONS: `--require ${workspace}/evil.cjs`,
      BASH_ENV: `${workspace}/evil.sh`,
      ENV: `${workspace}/evil.sh`,
      PYTHONSTARTUP: `${workspace}/evil.py`,
      PATH: `${workspace}:/usr/bin:/bin`,
    }),
    script: 'true',
  },
  {
    name: 'leave a program where the host looks for one',
    language: 'sh',
    script:
      'for d in /usr/local/bin /usr/bin /bin /opt/node/bin; do cp /usr/bin/true $d/bwrap && echo GOT-OUT; done',
  },
  {
    name: 'write into the temporary directories of the host',
    language: 'sh',
    script: ({ mark }) =>
      `echo ${mark} > /tmp/left-${mark}; echo ${mark} > /dev/shm/left-${mark}; echo x > /var/tmp/left-${mark}`,
  },
  {
    name: 'write where others keep their sockets',
    language: 'sh',
    script: ({ mark }) => `mkdir -p /run/left && echo GOT-OUT; echo x > /run/left-${mark}`,
  },
]
