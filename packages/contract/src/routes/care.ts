/** Owns the table of the routes that look after the installation: its checks, their repairs, the log, and how days went. */
import { z } from 'zod'
import { FindingRepaired, FindingView, HealthDay, LogView } from '../api-care.ts'
import { define } from './define.ts'

export const careRoutes = {
  findings: define(
    'get',
    '/v1/findings',
    'Checks the host of the gateway as `countersign doctor` does; changes nothing.',
    z.array(FindingView),
  ),
  repairFinding: define(
    'post',
    '/v1/findings/{id}/repair',
    'Repairs what such a check found, where that is safe, and keeps what was there before.',
    FindingRepaired,
    { params: z.object({ id: z.string() }) },
  ),
  log: define('get', '/v1/log', 'The end of the log of the gateway, without secrets.', LogView, {
    query: z.object({ lines: z.coerce.number().int().min(1).max(1_000).default(300) }),
  }),
  healthDays: define(
    'get',
    '/v1/health-days',
    'How each of the last days went: runs, their failures, and waits for models.',
    z.array(HealthDay),
    { query: z.object({ days: z.coerce.number().int().min(1).max(90).default(14) }) },
  ),
}
