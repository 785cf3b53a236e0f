/** Owns the table of the routes of calendar accounts. */
import { z } from 'zod'
import { AccountName } from '../account-name.ts'
import { Receipt } from '../api.ts'
import {
  CalendarAccountRemoved,
  CalendarAccountStored,
  CalendarAccountView,
  SettleConflict,
  StoreCalendarAccount,
  SyncConflict,
  SyncReport,
} from '../api-calendar.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: AccountName }) }

export const calendarRoutes = {
  calendarAccounts: define(
    'get',
    '/v1/calendar/accounts',
    'Calendar accounts and how they stand. Never a password.',
    z.array(CalendarAccountView),
  ),
  storeCalendarAccount: define(
    'put',
    '/v1/calendar/accounts/{name}',
    'Adds or changes a calendar account; its password goes into the vault.',
    CalendarAccountStored,
    { ...named, body: StoreCalendarAccount },
  ),
  removeCalendarAccount: define(
    'delete',
    '/v1/calendar/accounts/{name}',
    'Removes a calendar account and its password. Events and contacts stay where they are.',
    CalendarAccountRemoved,
    named,
  ),
  syncCalendarAccount: define(
    'post',
    '/v1/calendar/accounts/{name}/sync',
    'Syncs one account now.',
    SyncReport,
    named,
  ),
  syncConflicts: define(
    'get',
    '/v1/calendar/conflicts',
    'Events and contacts that were changed here and on the server.',
    z.array(SyncConflict),
  ),
  settleConflict: define(
    'post',
    '/v1/calendar/conflicts/{id}',
    'Settles a conflict: keep mine or keep theirs.',
    Receipt,
    { params: z.object({ id: z.string() }), body: SettleConflict },
  ),
}
