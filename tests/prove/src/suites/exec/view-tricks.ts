/** Owns what a program tries with its layer: every trick that an overlay, a list of changes or a file system could fall for. */

/** A piece of a shell script. It works in a folder of its own; `$BESIDE` is a folder outside the workspace. */
export interface ViewTrick {
  readonly name: string
  readonly script: string
}

const python = (...lines: readonly string[]): string =>
  `python3 - <<'END'\nimport os, socket, stat\ndef attempt(act, *args, **named):\n  try: act(*args, **named)\n  except Exception: pass\n${lines.join('\n')}\nEND`

export const viewTricks: readonly ViewTrick[] = [
  {
    name: 'whiteouts by hand',
    script: 'rm keep/a.txt; mknod keep/a.txt c 0 0; mknod keep/w c 0 0; mknod w c 0 0',
  },
  {
    name: 'whiteouts in another language',
    script: python(
      'attempt(os.unlink, "keep/b.txt")',
      'attempt(os.mknod, "keep/b.txt", stat.S_IFCHR | 0o600, os.makedev(0, 0))',
      'attempt(os.mknod, "keep/sub/d", stat.S_IFCHR | 0o600, 0)',
      'attempt(os.mknod, "disk", stat.S_IFBLK | 0o600, os.makedev(8, 0))',
      'attempt(os.mknod, "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))',
    ),
  },
  {
    name: 'attributes of overlays',
    script: python(
      'names = ["opaque", "whiteout", "redirect", "metacopy", "origin", "impure", "nlink", "upper", "protattr"]',
      'for space in ["user.overlay.", "trusted.overlay.", "user.overlay.overlay.", "user.", "security."]:',
      '  for name in names:',
      '    for path in ["keep", "keep/a.txt", "keep/sub", "."]:',
      '      attempt(os.setxattr, path, space + name, b"/../../../beside" if name == "redirect" else b"y")',
    ),
  },
  { name: 'an opaque folder', script: 'rm -r keep/sub; mkdir keep/sub; echo new > keep/sub/new.txt' },
  { name: 'a folder without a trace', script: 'rm -rf keep; mkdir keep' },
  {
    name: 'pipes and sockets',
    script: `mkfifo keep/pipe; rm -f keep/b.txt; mkfifo keep/b.txt; ${python('attempt(socket.socket(socket.AF_UNIX).bind, "keep/socket")')}`,
  },
  {
    name: 'what runs as its owner',
    script:
      'cp /bin/true keep/own; chmod 6755 keep/own; chmod 4711 keep/a.txt; chmod 2777 keep; chmod +t keep',
  },
  {
    name: 'what can be run',
    script: "printf '#!/bin/sh\\n' > keep/run.sh; chmod 755 keep/run.sh; chmod +x keep/b.txt",
  },
  {
    name: 'a link in place of a file',
    script: 'rm keep/a.txt; ln -s "$BESIDE/canary.txt" keep/a.txt; echo owned > keep/a.txt',
  },
  {
    name: 'a link in place of a folder',
    script: 'rm -r keep/sub; ln -s "$BESIDE" keep/sub; echo owned > keep/sub/canary.txt; touch keep/sub/new',
  },
  {
    name: 'links that climb',
    script:
      'ln -s ../../../../../../../../.. up; ln -s / root; echo owned > up/tmp/owned; ln -s /proc/self/cwd self; ln -s loop loop',
  },
  {
    name: 'a link to what was removed',
    script: 'ln -s keep/a.txt dangling; rm keep/a.txt; echo through > dangling',
  },
  {
    name: 'a file becomes a folder',
    script: 'rm keep/a.txt; mkdir -p keep/a.txt/in; echo x > keep/a.txt/in/x',
  },
  { name: 'a folder becomes a file', script: 'rm -r keep/sub; echo x > keep/sub' },
  { name: 'a folder becomes a link to itself', script: 'rm -r keep/sub; ln -s . keep/sub' },
  {
    name: 'hard links',
    script:
      'ln keep/a.txt second; echo more >> second; ln keep/sub/c.txt keep/third; ln /etc/passwd passwd; ln "$BESIDE/canary.txt" near',
  },
  {
    name: 'a hard link that is turned',
    script: 'ln keep/b.txt two; rm keep/b.txt; echo other > keep/b.txt; chmod 600 two',
  },
  {
    name: 'names of odd bytes',
    script: `${python('for name in [b"a\\xff\\xfe", b"new\\nline", b"\\x1b[31mred", b"..", b"-rf", b" ", b"\\xc3\\x28", b"a" * 255, b"tab\\there", b"\\xe2\\x80\\xaegpj.txt", b"\\xef\\xbf\\xbd"]:', '  attempt(lambda: open(b"keep/" + name, "wb").write(b"odd"))')}`,
  },
  {
    name: 'names that are nearly the same',
    script:
      "echo 1 > keep/A.TXT; echo 2 > 'keep/a.txt '; echo 3 > keep/a.txt.; printf 4 > \"$(printf 'keep/e\\314\\201')\"; printf 5 > \"$(printf 'keep/\\303\\251')\"",
  },
  {
    name: 'names of the taking over',
    script:
      'for i in 0 1 2 3; do ln -s "$BESIDE/canary.txt" keep/.countersign-0-$i.tmp; done; touch .wh.keep .wh..wh..opq keep/.wh.a.txt',
  },
  { name: 'a folder moved away', script: 'mv keep away; ln -s away keep; echo x > keep/a.txt' },
  {
    name: 'who stays behind',
    script:
      "setsid sh -c 'sleep 1; echo late > late.txt' >/dev/null 2>&1 & (sleep 1; echo late > late2.txt) & disown -a",
  },
  {
    name: 'through processes',
    script:
      'for p in /proc/[0-9]*/root /proc/[0-9]*/cwd; do echo owned > "$p$BESIDE/canary.txt"; echo owned > "$p/../beside/canary.txt"; done',
  },
  {
    name: 'the folders of the layer',
    script: `tr ',: ' '\\n\\n\\n' < /proc/self/mountinfo | grep -E '^(upperdir|workdir|lowerdir)=|^/' | sed 's/^[a-z]*=//' | sort -u | while read -r d; do echo owned > "$d/owned-$T.txt"; done`,
  },
  {
    name: 'mounts of its own',
    script:
      'unshare -rm sh -c \'mount --bind "$BESIDE" keep; mount -t tmpfs none keep/sub; echo owned > keep/canary.txt; umount -l /workspace; umount -l .\' ; mount --bind / keep; chroot / true',
  },
  { name: 'modes that keep out', script: 'chmod 000 keep/a.txt; chmod 000 keep/sub; chmod 555 keep' },
  {
    name: 'the same again',
    script: 'cp -p keep/a.txt x; rm keep/a.txt; mv x keep/a.txt; touch -d 2001-01-01 keep/b.txt keep/a.txt',
  },
  {
    name: 'the same size and time',
    script: "printf 'OWNED a' > x; touch -r keep/a.txt x; rm keep/a.txt; mv x keep/a.txt",
  },
  {
    name: 'a deep tree',
    script: 'd=deep; for i in $(seq 60); do d=$d/d; done; mkdir -p $d; echo x > $d/x; rm -r keep',
  },
  { name: 'many', script: 'mkdir many; cd many; seq 1 260 | xargs touch; cd ..' },
  {
    name: 'times in the future',
    script:
      "echo x > keep/future.txt; touch -d '2199-01-01' keep/future.txt keep/a.txt; touch -d 1960-01-01 keep/b.txt",
  },
  {
    name: 'maps and copies',
    script: `cp --reflink=auto keep/a.txt c; truncate -s 1M c; ${python('import mmap', 'f = open("keep/b.txt", "r+b"); m = mmap.mmap(f.fileno(), 0); m[0:1] = b"X"; m.flush()')}`,
  },
]
