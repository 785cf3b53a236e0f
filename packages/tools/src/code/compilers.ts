/** Owns how each language is compiled, and run if asked: fixed scripts that read the code from their input. */

export const languages = ['c', 'cpp', 'java', 'typescript'] as const
export type Language = (typeof languages)[number]

export interface Compiler {
  /** What must be there. */
  readonly program: string
  readonly fix: string
  /** Leaves with `notCompiled` when the code does not compile. All that it writes is in `$dir`. */
  readonly compile: string
  readonly run: string
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
}
