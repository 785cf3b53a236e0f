/** Ways to read what lies outside: by path, by link, by handle, by device, by what a process was given. */
import type { EscapeAttempt, SandboxScene } from './attempt.ts'

const places: Readonly<Record<string, (scene: SandboxScene) => string>> = {
  'a file outside': ({ outside }) => outside,
  'a file in the home directory': ({ home }) => home,
}

const spellings: Readonly<Record<string, (path: string) => string>> = {
  'by its path': (path) => path,
  'through the root of the first process': (path) => `/proc/1/root${path}`,
  'through its own root': (path) => `/proc/self/root${path}`,
  'through the root of a thread': (path) => `/proc/thread-self/root${path}`,
  'through the directory of the first process': (path) => `/proc/1/cwd/../../../..${path}`,
  'through its own directory': (path) => `/proc/self/cwd/../../../..${path}`,
  'by climbing': (path) => `../../../../../../../../..${path}`,
  'by climbing from the programs': (path) => `/usr/../../..${path}`,
  'by climbing from the devices': (path) => `/dev/../../..${path}`,
  'by climbing from a descriptor': (path) => `/dev/fd/../../../..${path}`,
  'by two slashes': (path) => `//${path}`,
}

const byPath: EscapeAttempt[] = Object.entries(places).flatMap(([place, pathOf]) =>
  Object.entries(spellings).map(
    ([how, spell]): EscapeAttempt => ({
      name: `read ${place} ${how}`,
      language: 'sh',
      script: (scene) => `cat '${spell(pathOf(scene))}'`,
    }),
  ),
)

export const reading: readonly EscapeAttempt[] = [
  ...byPath,
  {
    name: 'read through a symbolic link made inside',
    language: 'sh',
    script: ({ outside, home }) => `ln -sf ${outside} l1; ln -sf ${home} l2; cat l1; cat l2; rm -f l1 l2`,
  },
  {
    name: 'read through a chain of links in the temporary directory',
    language: 'sh',
    script: ({ folder }) => `ln -s ${folder} /tmp/a; ln -s /tmp/a /tmp/b; cat /tmp/b/canary; ls -laR /tmp/b/`,
  },
  {
    name: 'read through a link to the root of the first process',
    language: 'sh',
    script: ({ outside }) => `ln -s /proc/1/root /tmp/r; cat /tmp/r${outside}`,
  },
  {
    name: 'read through a link that was planted from outside',
    language: 'sh',
    script: 'cat planted; cat planted-folder/canary; ls planted-folder',
  },
  {
    name: 'hard link to a file outside',
    language: 'sh',
    script: ({ outside }) => `ln ${outside} hard && cat hard; rm -f hard`,
  },
  {
    name: 'link a descriptor back into the tree',
    language: 'python',
    script: ({ outside }) =>
      `fd = os.open('${outside}', os.O_PATH)\nos.link(f'/proc/self/fd/{fd}', 'relinked', follow_symlinks=True)\nshow('relinked')`,
  },
  {
    name: 'copy with links followed',
    language: 'sh',
    script: ({ folder }) =>
      `cp -rL ${folder} /tmp/copied; cat /tmp/copied/canary; tar -chf - ${folder} | strings`,
  },
  {
    name: 'find a canary anywhere',
    language: 'sh',
    // It walks every folder that can be seen, twice, which takes as long as the disk takes.
    timeoutMs: 180_000,
    script:
      "find / -xdev -name 'canary*' -exec cat {} + 2>/dev/null; find / -name 'canary*' -exec cat {} + 2>/dev/null",
  },
  {
    name: 'open a path without reading it and read it by its descriptor',
    language: 'python',
    script: ({ outside }) => `fd = os.open('${outside}', os.O_PATH)\nshow(f'/proc/self/fd/{fd}')`,
  },
  {
    name: 'every descriptor that was inherited',
    language: 'python',
    script:
      "for fd in range(3, 1024):\n    try:\n        os.fstat(fd)\n        link = os.readlink(f'/proc/self/fd/{fd}')\n    except OSError: continue\n    if not link.startswith('/proc/'): out(f'{fd} {link}')",
  },
  {
    name: 'every directory that a descriptor stands for',
    language: 'python',
    script: ({ outside }) =>
      `for fd in range(0, 1024):\n    try: os.fchdir(fd)\n    except OSError: continue\n    each(['${outside}'.lstrip('/'), '../../../../..${outside}'], show)`,
  },
  {
    name: 'descriptors of other processes',
    language: 'sh',
    script: 'for f in /proc/[0-9]*/fd/*; do readlink "$f"; done; cat /proc/1/fd/[3-9]* 2>/dev/null',
  },
  {
    name: 'roots of every process in sight',
    language: 'sh',
    script: ({ outside, home }) =>
      `for p in /proc/[0-9]*; do cat $p/root${outside} $p/root${home} 2>/dev/null; done`,
  },
  {
    name: 'working directories of every process in sight',
    language: 'sh',
    script: ({ folder }) =>
      `for p in /proc/[0-9]*; do ls -a $p/cwd/../../..${folder} && cat $p/cwd/canary; done`,
  },
  {
    name: 'words of the processes of the host',
    language: 'sh',
    script: 'cat /proc/[0-9]*/cmdline | tr "\\0" " "',
  },
  {
    name: 'words of a process of the host by its number',
    language: 'sh',
    script: ({ pid }) => `cat /proc/${pid}/cmdline /proc/${pid}/environ /proc/${pid}/status | tr "\\0" " "`,
  },
  {
    name: 'environments of every process in sight',
    language: 'sh',
    script: 'cat /proc/[0-9]*/environ | tr "\\0" "\\n"; env',
  },
  { name: 'own environment', language: 'sh', script: 'env; set; cat /proc/self/environ' },
  {
    name: 'memory of the first process',
    language: 'python',
    script:
      "import re\nmemory = open('/proc/1/mem', 'rb', 0)\nfor line in open('/proc/1/maps').read().splitlines():\n    start, end = [int(word, 16) for word in line.split(' ')[0].split('-')]\n    try:\n        memory.seek(start)\n        print(re.findall(rb'canary[0-9a-f]{24}', memory.read(min(end - start, 1 << 24))))\n    except (OSError, OverflowError): pass",
  },
  {
    name: 'memory of the kernel',
    language: 'sh',
    script: 'head -c 64 /proc/kcore | od | head -3; head -c 64 /dev/mem; head -c 64 /dev/kmem',
  },
  {
    name: 'open a file by a handle',
    language: 'python',
    script:
      "handle = struct.pack('<Ii', 8, 1) + struct.pack('<II', 2, 0)\nroot = os.open('/workspace', os.O_RDONLY)\nfd = call(304, root, ctypes.c_char_p(handle), 0)\nif fd >= 0: out(os.listdir(fd))",
  },
  {
    name: 'ask for the handle of a file',
    language: 'python',
    script:
      "if call(303, -100, ctypes.c_char_p(b'/workspace'), ctypes.create_string_buffer(struct.pack('<I', 64) + bytes(80)), ctypes.byref(ctypes.c_int()), 0) == 0: out()",
  },
  {
    name: 'make the device of the disk and read it',
    language: 'sh',
    script:
      'for n in "259 0" "254 0" "8 0" "253 0"; do mknod /tmp/disk b $n && head -c 512 /tmp/disk | od | head -2 && echo GOT-OUT; rm -f /tmp/disk; done; mknod /workspace/disk b 254 0 && echo GOT-OUT',
  },
  {
    name: 'make the device of the memory',
    language: 'sh',
    script:
      'mknod /tmp/mem c 1 1 && echo GOT-OUT; mknod /workspace/mem c 1 1 && echo GOT-OUT; mknod /dev/shm/mem c 1 1 && echo GOT-OUT',
  },
  {
    name: 'devices of the host',
    language: 'sh',
    script:
      'for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/mem /dev/kmsg /dev/fuse /dev/kvm /dev/net/tun /dev/vsock /dev/loop-control /dev/mapper/control; do [ -e $d ] && echo GOT-OUT $d; done',
  },
  {
    name: 'files that only root reads',
    language: 'sh',
    script:
      'for f in /etc/shadow /etc/gshadow /root /home /var/lib /var/log /boot /etc/ssh /srv /mnt /media; do [ -e $f ] && echo GOT-OUT $f; done',
  },
  {
    name: 'the hidden part of the workspace',
    language: 'sh',
    script: 'cat .state/canary ./.state/../.state/canary /workspace/.state/canary; ls -la .state',
  },
  {
    name: 'the hidden part under another name',
    language: 'sh',
    script: 'mv .state shown && cat shown/canary; cp -r .state /tmp/s; cat /tmp/s/canary',
  },
  {
    name: 'the hidden part behind its cover',
    language: 'sh',
    script:
      'umount /workspace/.state; umount -l /workspace/.state; cat /workspace/.state/canary; rmdir /workspace/.state; cat /workspace/.state/canary',
  },
  {
    name: 'the hidden part by a link that was planted from outside',
    language: 'sh',
    script: 'cat planted-state/canary; cat -- planted-state/../.state/canary',
  },
  {
    name: 'the hidden part by the map of a file',
    language: 'python',
    script:
      "fd = os.open('/workspace/.state/canary', os.O_RDONLY)\nprint(mmap.mmap(fd, 0, prot=mmap.PROT_READ)[:])",
  },
  {
    name: 'a file outside with a read-only workspace',
    language: 'sh',
    profile: 'read-only',
    script: ({ outside, home }) => `cat ${outside} ${home} /proc/1/root${outside} .state/canary planted`,
  },
  {
    name: 'a file outside with a network',
    language: 'sh',
    profile: 'network',
    script: ({ outside, home }) =>
      `cat ${outside} ${home} /proc/1/root${outside} .state/canary planted; cat /proc/[0-9]*/cmdline`,
  },
  {
    name: 'a file outside from Node',
    language: 'node',
    script: ({ outside }) =>
      `const fs = require('fs'); for (const p of ['${outside}', '/proc/1/root${outside}', '/proc/self/root${outside}']) { try { console.log(fs.readFileSync(p, 'utf8')) } catch {} }`,
  },
  {
    name: 'a watch on the world outside',
    language: 'node',
    script: ({ folder }) => `require('fs').watch('${folder}', () => {}); out('watching')`,
  },
  {
    name: 'mounts that tell where things are',
    language: 'sh',
    script: ({ folder }) => `cat /proc/self/mountinfo | grep -o '${folder}/canary[^ ]*'`,
  },
  {
    name: 'logs of the kernel',
    language: 'sh',
    script: 'dmesg 2>/dev/null | head -1 | grep . && echo GOT-OUT; head -c 10 /dev/kmsg && echo GOT-OUT',
  },
  {
    name: 'a file system of the host from its device',
    language: 'sh',
    script:
      'mkdir -p /tmp/m; mount /dev/vda /tmp/m && ls /tmp/m && echo GOT-OUT; mount -o bind / /tmp/m && echo GOT-OUT; mount -t proc proc /tmp/m && echo GOT-OUT; mount -t sysfs s /tmp/m && echo GOT-OUT',
  },
]
