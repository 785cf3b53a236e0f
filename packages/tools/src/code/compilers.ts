/** Owns how each language is compiled or checked, and run if asked: fixed scripts that read the code from their input. */

export const languages = [
  'c',
  'cpp',
  'java',
  'typescript',
  'javascript',
  'python',
  'shell',
  'sql',
  'json',
] as const
export type Language = (typeof languages)[number]

export interface Compiler {
  /** What must be there. */
  readonly program: string
  readonly fix: string
  /** Leaves with `notCompiled` when the code does not compile. All that it writes is in `$dir`. */
  readonly compile: string
  /** Null where there is nothing to run. */
  readonly run: string | null
}

export const notCompiled = 100

/** A folder that is gone when the script ends; in the sandbox `/tmp` is its own anyway. */
export const prelude = 'dir=$(mktemp -d) || exit 1; trap \'rm -rf "$dir"\' EXIT'

const otherwise = `|| exit ${notCompiled}`

/** The Node.js of the sandbox is the newest; older ones cannot read TypeScript. */
const node = 'node=/opt/node/bin/node; [ -x "$node" ] || node=node'

/** Some hosts keep the settings of Java where the sandbox has nothing; it would die of that with a long trace. */
const javaStarts =
  'home=$(readlink -f "$(command -v javac)"); [ -e "${home%/bin/javac}/conf/security/java.security" ] || { echo "Java cannot start in the sandbox: its settings are not there." >&2; exit 1; }'

const checkTypescript = [
  'const { stripTypeScriptTypes: strip } = require("node:module")',
  'if (!strip) throw new Error("TypeScript needs Node.js 22.13 or newer.")',
  'const code = require("node:fs").readFileSync(process.argv[1], "utf8")',
  'try { strip(code) } catch (error) { console.error(String(error.stack).split("\\n    at ")[0]); process.exit(1) }',
].join('\n')

const checkPython = [
  'import sys, traceback',
  'try: compile(open(sys.argv[1], encoding="utf-8").read(), "main.py", "exec")',
  'except (SyntaxError, ValueError) as problem:',
  '    sys.stderr.write("".join(traceback.format_exception_only(problem)))',
  '    sys.exit(1)',
].join('\n')

/** By the parser of SQLite, which prepares each statement and runs none. Tables need not be there. */
const checkSql = [
  'import sqlite3, sys',
  'known, statement = sqlite3.connect(":memory:"), ""',
  'def check(text):',
  '    try: known.execute("explain " + text)',
  '    except sqlite3.Error as problem:',
  '        if any(words in str(problem) for words in ("syntax error", "incomplete input", "unrecognized token")):',
  '            sys.stderr.write(f"{problem} in: {text.strip()[:200]}\\n")',
  '            sys.exit(1)',
  'for part in open(sys.argv[1], encoding="utf-8").read().split(";"):',
  '    statement += part + ";"',
  '    if sqlite3.complete_statement(statement):',
  '        if statement.strip() != ";": check(statement)',
  '        statement = ""',
  'if statement.strip(" \\n\\t\\r;") != "": check(statement)',
].join('\n')

const checkJson = [
  'try { JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")) }',
  'catch (error) { console.error(error.message); process.exit(1) }',
].join('\n')

export const compilers: Readonly<Record<Language, Compiler>> = {
  c: {
    program: 'gcc',
    fix: 'apt-get install gcc',
    compile: `gcc -x c -std=c17 -Wall -Wextra -O1 -o $dir/program - ${otherwise}`,
    run: '$dir/program < /dev/null',
  },
  cpp: {
    program: 'g++',
    fix: 'apt-get install g++',
    compile: `g++ -x c++ -std=c++20 -Wall -Wextra -O1 -o $dir/program - ${otherwise}`,
    run: '$dir/program < /dev/null',
  },
  java: {
    program: 'javac',
    fix: 'apt-get install default-jdk-headless',
    compile: `${javaStarts}; cat > $dir/Main.java && javac -J-Xmx256m -J-XX:+UseSerialGC -Xlint -d $dir $dir/Main.java ${otherwise}`,
    run: 'java -Xmx256m -XX:+UseSerialGC -cp $dir Main < /dev/null',
  },
  typescript: {
    program: 'node',
    fix: 'apt-get install nodejs',
    compile: `${node}; cat > $dir/main.ts && "$node" --no-warnings -e '${checkTypescript}' "$dir/main.ts" ${otherwise}`,
    run: '"$node" --no-warnings --experimental-strip-types $dir/main.ts < /dev/null',
  },
  // A module or a script: what is right as one of them is right.
  javascript: {
    program: 'node',
    fix: 'apt-get install nodejs',
    compile: `${node}; cat > $dir/main.mjs; cp $dir/main.mjs $dir/main.cjs; file=$dir/main.mjs; "$node" --check $file 2> $dir/module || { file=$dir/main.cjs; "$node" --check $file 2> $dir/script || { cat $dir/module >&2; exit ${notCompiled}; }; }`,
    run: '"$node" --no-warnings $file < /dev/null',
  },
  python: {
    program: 'python3',
    fix: 'apt-get install python3',
    compile: `cat > $dir/main.py && python3 -I -c '${checkPython}' $dir/main.py ${otherwise}`,
    run: 'python3 -I $dir/main.py < /dev/null',
  },
  shell: {
    program: 'bash',
    fix: 'apt-get install bash',
    compile: `cat > $dir/main.sh && bash -n $dir/main.sh ${otherwise}`,
    run: 'bash $dir/main.sh < /dev/null',
  },
  sql: {
    program: 'python3',
    fix: 'apt-get install python3',
    compile: `cat > $dir/main.sql && python3 -I -c '${checkSql}' $dir/main.sql ${otherwise}`,
    run: null,
  },
  json: {
    program: 'node',
    fix: 'apt-get install nodejs',
    compile: `${node}; cat > $dir/main.json && "$node" -e '${checkJson}' $dir/main.json ${otherwise}`,
    run: null,
  },
}
