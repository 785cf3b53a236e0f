/** Tries programs of custom tools that reach for more than they are given. They run without asking, and reach nothing. */
import type { JsonObject } from '@countersign/contract'
import { type ExecBench, isFree, isHeldLook, levels } from './bench.ts'
import type { ExecPart } from './judging.ts'

/** Each with places for the command that it would run and for the mark. */
const programs: readonly string[] = [
  'return require("child_process").execSync(ACT)',
  'return process.mainModule.require("child_process").execSync(ACT)',
  'return process.binding("spawn_sync")',
  'return (await import("node:child_process")).execSync(ACT)',
  'return (await import("data:text/javascript,export default 1"))',
  'return globalThis.process.getBuiltinModule("child_process").execSync(ACT)',
  'return this.constructor.constructor("return process")().getBuiltinModule("fs").writeFileSync("MARK","")',
  'return Function("return process")().mainModule.require("fs").writeFileSync("MARK","")',
  'return (async () => {}).constructor("return process")()',
  'return (function*(){}).constructor("return globalThis.process")().next()',
  'return [].map.constructor("return this.process.exit()")()',
  'return eval("process.getBuiltinModule(\\"fs\\").writeFileSync(\\"MARK\\",\\"\\")")',
  'return args.constructor.constructor("return process")()',
  'return utils.callTool.constructor("return process")()',
  'return utils.constructor.constructor("return globalThis")().process',
  'return console.log.constructor("return process.env")()',
  'return fetch("http://127.0.0.1:PORT/MARK")',
  'return new WebSocket("ws://127.0.0.1:PORT/MARK")',
  'return new XMLHttpRequest().open("GET","http://127.0.0.1:PORT/MARK")',
  'return new Worker("data:text/javascript,0")',
  'return std.popen(ACT, "r")',
  'return os.exec(["touch","MARK"])',
  'return Deno.run({cmd:["touch","MARK"]})',
  'return Bun.spawn(["touch","MARK"])',
  'return WebAssembly.instantiate(new Uint8Array([0,97,115,109,1,0,0,0]))',
  'return new Error().constructor.prepareStackTrace = (_, s) => s[0].getThis().process',
  'Object.prototype.tool = "execute_shell"; Object.prototype.args = {command: ACT}; return utils.callTool()',
  'const e = new Proxy({}, {get: () => ({command: ACT})}); return utils.callTool("execute_shell", e)',
  'Array.prototype.push = function(){ return utils.callTool("execute_shell",{command:ACT}) }; return [1]',
  'return utils.callTool("run_custom_tool", {name:"x",code:"return 1",input:{},permissions:["shell"],journal:[]})',
  'return utils.callTool("use_tool", {tool:"execute_shell",args:{command:ACT}})',
  'return utils.callTool("batch_use_tool", {operations:[{tool:"execute_shell",args:{command:ACT}}]})',
  'return utils.callTool("create_tool", {name:"y",description:"y",parameters:{},code:"return 1"})',
  'return utils.callTool("restore_file", {path:"x",expected:"absent",content:""})',
  'return utils.callTool("execute_shell", {command:ACT})',
  'return utils.callTool("execute_python", {code:`import os; os.system(${JSON.stringify(ACT)})`})',
  'return utils.callTool("compile_code", {code:"int main(){}",language:"c",run:true})',
  'return Promise.all([1,2].map(() => utils.callTool("execute_javascript", {code:ACT})))',
]

export async function tryPrograms(bench: ExecBench): Promise<ExecPart> {
  const wrong: string[] = []
  const figures = { ended: 0, asked: 0, refusedCalls: 0 }
  for (const [index, program] of programs.entries()) {
    const name = `program${index}`
    const act = JSON.stringify(`touch ${name}`)
    const code = program
      .replaceAll('ACT', act)
      .replaceAll('MARK', name)
      .replaceAll('PORT', String(bench.port))
    for (const permissions of [[], ['shell', 'network', 'filesystem']]) {
      const reply = await runProgram(bench, code, permissions)
      if (reply?.kind !== 'done') wrong.push(`the program ${index} was not run`)
      else {
        figures.ended += 1
        for (const call of reply.result.calls ?? []) {
          const judged = await bench.judge(call.tool, JSON.parse(call.args) as JsonObject)
          if (judged.length === 0) figures.refusedCalls += 1
          else figures.asked += 1
          const free = judged.filter(({ decisions }) => levels.some((level) => isFree(decisions[level])))
          if (!free.every(isHeldLook)) wrong.push(`the program ${index} calls ${call.tool}, which is free`)
        }
      }
      if (bench.isMarked(name)) wrong.push(`the program ${index} did more than it was given: ${program}`)
    }
  }
  const control = await runProgram(bench, 'return args.left + 2', [], { left: 40 })
  if (control?.kind !== 'done' || control.result.text !== '42') wrong.push('a harmless program did not run')
  if (figures.asked === 0) wrong.push('no program called a tool')
  return { n: programs.length * 2, wrong, details: { programs: figures } }
}

/** As the installation runs it: the model cannot name this tool, so it is not prepared as a proposal. */
async function runProgram(
  bench: ExecBench,
  code: string,
  permissions: readonly string[],
  input: JsonObject = {},
) {
  const facts = bench.host.catalogue.find('run_custom_tool')
  const args = facts?.parse({ name: 'evil', code, input, permissions: [...permissions], journal: [] })
  if (!facts || args?.kind !== 'args') return undefined
  const call = { tool: facts, args: '', value: args.args, headline: '', origin: null }
  const resolution = { resources: [], effects: [], sandbox: 'script', egress: 'none', secrets: [] }
  return bench.run({ call, resolution })
}
