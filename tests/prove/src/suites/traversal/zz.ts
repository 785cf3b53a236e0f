import { runTrials } from '/work/main/tests/prove/src/suites/traversal/trials.ts'

const b = performance.now()
const r = await runTrials({ n: Number(process.argv[2] ?? 200), seed: 3, log: console.error })
console.log(JSON.stringify(r, null, 1), performance.now() - b)
process.exit()
