/** Owns the routes of e-mail accounts. Passwords and sign-ins go in; no route gives one out. */
import { mailRoutes } from '@countersign/contract/routes'
import type { MailAccounts } from '../mail/mail-accounts.ts'
import type { MailSignIns } from '../mail/mail-sign-in.ts'
import { type App, route } from './route.ts'

export function addMailRoutes(app: App, accounts: MailAccounts, signIns: MailSignIns): void {
  app.openapi(route(mailRoutes.mailAccounts), async (context) =>
    context.json(await accounts.list(context.get('speaker').operator), 200),
  )
  app.openapi(route(mailRoutes.storeMailAccount), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await accounts.store(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(mailRoutes.beginMailSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await signIns.begin(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(mailRoutes.endMailSignIn), async (context) => {
    const { name } = context.req.valid('param')
    return context.json(await signIns.end(context.get('speaker'), name, context.req.valid('json')), 200)
  })
  app.openapi(route(mailRoutes.setMailSearchable), async (context) => {
    const { searchable } = context.req.valid('json')
    const { name } = context.req.valid('param')
    return context.json(await accounts.setSearchable(context.get('speaker'), name, searchable), 200)
  })
  app.openapi(route(mailRoutes.removeMailAccount), async (context) =>
    context.json(await accounts.remove(context.get('speaker'), context.req.valid('param').name), 200),
  )
}
