/** Owns the ways to hand a command to something else that reads it. */

export type Wrapper = (command: string) => string

export const wrappers: Readonly<Record<string, Wrapper>> = {
  plain: (command) => command,
  'env -S': (command) => `env -S ${quoted(`sh -c ${quoted(command)}`)}`,
  'busybox sh': (command) => `busybox sh -c ${quoted(command)}`,
  'login shell': (command) => `sh -lc ${quoted(command)}`,
  'bash in bash': (command) => `bash -c ${quoted(`bash -c ${quoted(command)}`)}`,
  'root of a process': (command) => `/proc/self/root/bin/sh -c ${quoted(command)}`,
  loader: (command) => `/lib64/ld-linux-x86-64.so.2 /bin/sh -c ${quoted(command)}`,
  document: (command) => `sh <<'END-OF-IT'\n${command}\nEND-OF-IT`,
  xargs: (command) => `printf %s ${quoted(command)} | xargs -0 sh -c`,
  nohup: (command) => `nohup sh -c ${quoted(command)} &`,
  timeout: (command) => `timeout 1 sh -c ${quoted(command)}`,
  python: (command) => `python3 -c ${quoted(`import os; os.system(${JSON.stringify(command)})`)}`,
  node: (command) => `node -e ${quoted(`require("child_process").execSync(${JSON.stringify(command)})`)}`,
  perl: (command) => `perl -e ${quoted(`system(pack("H*","${Buffer.from(command).toString('hex')}"))`)}`,
  base64: (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | sh`,
  'after a harmless one': (command) => `git status --short; ${command}`,
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
