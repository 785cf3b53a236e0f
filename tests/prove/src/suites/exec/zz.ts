import { runTrials } from './trials.ts'

const b = performance.now()
const r = await runTrials({
  n: Number(process.argv[2] ?? 200),
  seed: 3,
  log: (l) => console.error(l, performance.now() - b),
})
console.log(JSON.stringify(r, null, 1), performance.now() - b)
process.exit()
