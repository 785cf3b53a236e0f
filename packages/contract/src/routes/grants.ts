/** Owns the table of the routes of standing authority. */
import { z } from 'zod'
import { GrantView, Receipt } from '../api.ts'
import {
  Coverage,
  CoverageRequest,
  GrantSuggestion,
  PruneGrants,
  PruneReply,
  TakenSuggestion,
  WhatCan,
} from '../api-grants.ts'
import { AskedForView } from '../asked-for.ts'
import { AskedForId, GrantId, SessionId, UnaskedId } from '../ids.ts'
import { LetAsk, LetAskReply, UnaskedView } from '../unasked.ts'
import { define } from './define.ts'

export const grantRoutes = {
  grants: define('get', '/v1/grants', 'Grants: what may run without approval.', z.array(GrantView)),
  revokeGrant: define('post', '/v1/grants/{id}/revoke', 'Revokes a grant.', Receipt, {
    params: z.object({ id: GrantId }),
  }),
  pruneGrants: define(
    'post',
    '/v1/grants/prune',
    'Revokes the grants that were unused for this many days.',
    PruneReply,
    { body: PruneGrants },
  ),
  coverage: define('post', '/v1/grants/coverage', 'Which past calls a rule would have covered.', Coverage, {
    body: CoverageRequest,
  }),
  suggestedGrants: define(
    'get',
    '/v1/grants/suggestions',
    'Suggested grants for calls that you were asked about three times in a week.',
    z.array(GrantSuggestion),
  ),
  takeSuggestion: define(
    'post',
    '/v1/grants/suggestions/{id}/take',
    'Creates a suggested grant.',
    TakenSuggestion,
    { params: z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) }) },
  ),
  askedFor: define(
    'get',
    '/v1/sessions/{id}/asked-for',
    'What the operator’s words in a session ask for, as it was listed.',
    z.array(AskedForView),
    { params: z.object({ id: SessionId }) },
  ),
  takeBack: define(
    'post',
    '/v1/asked-for/{id}/take-back',
    'Takes back what was asked for: later calls ask.',
    Receipt,
    { params: z.object({ id: AskedForId }) },
  ),
  unasked: define(
    'get',
    '/v1/unasked',
    'What was not done because nobody asked for it: a row for each conversation.',
    z.array(UnaskedView),
  ),
  dismissUnasked: define('post', '/v1/unasked/{id}/dismiss', 'Puts such a row away.', Receipt, {
    params: z.object({ id: UnaskedId }),
  }),
  letAsk: define(
    'post',
    '/v1/unasked/{id}/ask',
    'Proposes one of them again, to the byte: it asks for approval.',
    LetAskReply,
    { params: z.object({ id: UnaskedId }), body: LetAsk },
  ),
  whatCan: define('get', '/v1/what-can', 'Everything that may run without approval.', WhatCan, {
    query: z.object({ agent: z.string().max(100).optional() }),
  }),
}
