/**
 * Proves that the kernel's tables are the kernel's: every table that its migrations make, read from the catalogue of
 * PostgreSQL, is tried with every write and every change of its definition, under the assistant's role as the database
 * sees it, and through the handles that the assistant and the views are given. Controls show that the assistant reads
 * all of it and writes its own tables. `n` is the number of attempts at the most.
 */
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite } from '../suite.ts'
import { runRoles } from './roles/trials.ts'

export const roles: Suite = {
  name: 'roles',
  defaultSize: 100_000,
  mutants: ['tables-given-away', 'role-not-set', 'control-let-through', 'text-is-run'],
  run: (options) =>
    options.mutant === undefined
      ? runRoles(options)
      : runMutant(options, options.mutant, new URL('./roles/mutant-main.ts', import.meta.url)),
}
