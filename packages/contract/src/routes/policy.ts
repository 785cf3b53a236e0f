/** Owns the table of the routes of the policy: what is in force, what was, and what another would have decided. */
import { z } from 'zod'
import {
  AppliedPolicy,
  ApplyPolicy,
  PolicyCheck,
  PolicyDocument,
  PolicySimulation,
  PolicyVersionDetail,
  PolicyVersionView,
  PolicyView,
  SimulatePolicy,
} from '../api-policy.ts'
import { define } from './define.ts'

export const policyRoutes = {
  policy: define(
    'get',
    '/v1/policy',
    'The policy in force: level, rules as sentences, since when and by whom.',
    PolicyView,
  ),
  checkPolicy: define(
    'post',
    '/v1/policy/check',
    'Checks a draft of a policy and says what it would loosen. Changes nothing.',
    PolicyCheck,
    {
      body: z.strictObject({ document: PolicyDocument }),
    },
  ),
  simulatePolicy: define(
    'post',
    '/v1/policy/simulate',
    'Judges past calls again by a draft. Changes nothing.',
    PolicySimulation,
    {
      body: SimulatePolicy,
    },
  ),
  applyPolicy: define(
    'put',
    '/v1/policy',
    'Puts a sealed draft in force. What loosens anything needs a passkey, once there is one.',
    AppliedPolicy,
    {
      body: ApplyPolicy,
    },
  ),
  policyVersions: define(
    'get',
    '/v1/policy/versions',
    'Every policy that was in force, the newest first.',
    z.array(PolicyVersionView),
  ),
  policyVersion: define(
    'get',
    '/v1/policy/versions/{number}',
    'One policy that was in force, as a whole.',
    PolicyVersionDetail,
    {
      params: z.object({ number: z.coerce.number().int().min(1) }),
    },
  ),
  policyAsOf: define(
    'get',
    '/v1/policy/as-of/{entry}',
    'The policy that was in force at an entry of the ledger.',
    PolicyVersionDetail,
    {
      params: z.object({ entry: z.coerce.number().int().min(0) }),
    },
  ),
}
