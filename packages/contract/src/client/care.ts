/** The part of the typed client that looks after the installation. */
import { careRoutes } from '../routes/care.ts'
import type { Call } from './call.ts'

export function careCalls(call: Call) {
  return {
    findings: () => call(careRoutes.findings),
    repairFinding: (id: string) => call(careRoutes.repairFinding, { params: { id } }),
    log: (lines = 300) => call(careRoutes.log, { query: { lines } }),
    healthDays: (days = 14) => call(careRoutes.healthDays, { query: { days } }),
  }
}
