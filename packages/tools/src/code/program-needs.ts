/**
 * Owns which folders of strangers a program may be unable to work without, by its words: the history of a repository,
 * and packages. What is hidden by mistake makes a program fail, and its result says what was hidden; what is shown by
 * mistake makes its result untrusted. So programs that nobody knows here see packages, and histories are for git.
 */
import type { ForeignNeed, ProgramView } from '@countersign/contract'
import type { Inspector } from '../inspector.ts'
import { saidInArguments, saidInCode, saidInCommand } from './said-paths.ts'
import { commandWords, shellBuiltins } from './words.ts'

/** They work on what their words name and load no packages from the workspace. */
const plain = new Set(
  'git hg svn gh [ awk b2sum base32 base64 basename bc bunzip2 bzip2 cat chmod cksum cmp column comm cp csplit cut date dd df diff diffstat dirname du echo expand expr factor file find fmt fold gawk grep egrep fgrep gunzip gzip head hexdump hostname iconv id join jq ls lscpu md5sum mkdir mktemp mv nl nproc numfmt od paste pr printenv printf pwd python python3 readlink realpath rg rm rmdir sed seq sha1sum sha256sum sha512sum shellcheck shuf sleep sort split sqlite3 ssconvert stat strings sum tac tail tar tee test touch tr tree true tsort uname unexpand uniq unlink unxz unzip uptime wc whoami xmllint xxd xz yes yq zcat zgrep zip zipinfo zstd pdftotext pdfinfo identify exiftool'.split(
    ' ',
  ),
)
const javascript = new Set('node npm npx pnpm pnpx yarn bun bunx corepack tsc tsx'.split(' '))
const history = /(?:^|[^\w./-])(?:git|hg|svn|gh)(?![\w.])/
const nodeWords = /(?:^|[^\w./-])(?:node|npm|npx|pnpm|yarn|bun)(?![\w.])/
const allPackages: readonly ForeignNeed[] = ['javascript', 'python', 'other']

export function viewOfCommand(command: string, cwd: string, inspect: Pick<Inspector, 'locate'>): ProgramView {
  const { programs } = commandWords(command)
  const packages = programs
    .filter((program) => !shellBuiltins.has(program))
    .flatMap((program) => packagesOf(program))
  return {
    named: saidInCommand(command, cwd, inspect),
    needs: inOrder([...packages, ...(history.test(command) ? ['history' as const] : [])]),
    below: programs.some((program) => javascript.has(program)),
  }
}

/** A program with its arguments, which no shell reads. `also` is where it lies itself. */
export function viewOfArguments(
  program: string,
  args: readonly string[],
  cwd: string,
  inspect: Pick<Inspector, 'locate'>,
  also: readonly string[] = [],
): ProgramView {
  const named = new Set([...also, ...saidInArguments(args, cwd, inspect)])
  const isHistory = history.test(program)
  return {
    named: [...named].slice(0, 64).toSorted(),
    needs: inOrder([...packagesOf(program), ...(isHistory ? ['history' as const] : [])]),
    below: javascript.has(program),
  }
}

function packagesOf(program: string): readonly ForeignNeed[] {
  if (plain.has(program)) return []
  return javascript.has(program) ? ['javascript'] : allPackages
}

/** Code that is handed to an interpreter. It loads packages only if it says so. */
export function viewOfCode(
  code: string,
  cwd: string,
  inspect: Pick<Inspector, 'locate'>,
  packagesFor: (code: string) => readonly ForeignNeed[],
): ProgramView {
  const needs: ForeignNeed[] = [...packagesFor(code)]
  if (nodeWords.test(code)) needs.push('javascript')
  if (history.test(code)) needs.push('history')
  return { named: saidInCode(code, cwd, inspect), needs: inOrder(needs), below: false }
}

/** A module that is neither Node's own nor absent. */
export function loadsModules(code: string): boolean {
  const loaded = code.matchAll(
    /(?:\brequire\s*\(|\bimport\s*\(|\bfrom\b|\bimport\b)\s*(?:(['"`])([^'"`\n]*)\1)?/g,
  )
  return [...loaded].some(([, , name]) => name !== undefined && !ownModules.has(name.replace(/^node:/, '')))
}

const ownModules = new Set(
  'assert assert/strict async_hooks buffer child_process crypto dns events fs fs/promises http https module net os path path/posix perf_hooks process querystring readline readline/promises stream stream/promises string_decoder test timers timers/promises url util v8 vm worker_threads zlib'.split(
    ' ',
  ),
)

/** A module that is not of Python's own library. */
export function importsPackages(code: string): boolean {
  if (/\b(?:__import__|importlib|runpy|pkgutil)\b/.test(code)) return true
  const lines = code.matchAll(/^[^\S\n]*(?:from[^\S\n]+([\w.]+)|import[^\S\n]+([^\n#;]+))/gm)
  return [...lines]
    .flatMap(([, from, list]) => (from ?? list ?? '').split(','))
    .map((name) => name.trim().split(/[\s.]/, 1)[0] ?? '')
    .some((name) => name !== '' && !pythonModules.has(name))
}

const pythonModules = new Set(
  '__future__ abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'.split(
    ' ',
  ),
)

function inOrder(needs: readonly ForeignNeed[]): ForeignNeed[] {
  return [...new Set(needs)].toSorted()
}
