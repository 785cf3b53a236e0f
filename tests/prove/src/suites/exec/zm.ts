import { exec } from '../exec.ts'
import { traversal } from '../traversal.ts'
for (const [suite, n] of [[exec, 60],[traversal, 60]] as const) for (const mutant of suite.mutants) {
  const b=performance.now()
  const r = await suite.run({n,seed:11,mutant,log:()=>undefined})
  console.log(suite.name, mutant, r.failures, Math.round(performance.now()-b), JSON.stringify((r.details?.['examples'] as string[])?.slice(0,10).map(x=>x.slice(0,140)),null,1))
}
process.exit()
