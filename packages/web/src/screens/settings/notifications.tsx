/** Notifications of this browser: on, off, and a try. What it lacks is said, with the way to mend it. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isSubscribed, pushProblem, subscribe, unsubscribe } from '../../data/push.ts'
import { useChange } from '../../environment/queries.ts'
import { useClient } from '../../environment/services.tsx'
import { Button, Sheet, Toggle, useNotify } from '../../kit/index.ts'
import { words } from '../../words/settings.tsx'
import { NotificationChoices } from './notification-choices.tsx'

export function Notifications() {
  const problem = pushProblem(window)
  return (
    <section aria-labelledby="notifications">
      <h2 id="notifications" className="mb-3">
        {words.notifications.title}
      </h2>
      <Sheet className="space-y-3">
        {problem === null ? <Push /> : <p>{problem}</p>}
        <p className="text-small text-ink-2">{words.notifications.about}</p>
      </Sheet>
    </section>
  )
}

function Push() {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const on = useQuery({ queryKey: ['push', 'here'], queryFn: () => isSubscribed(window) })
  const fail = (error: Error) => notify({ text: error.message, tone: 'bad' })
  const change = useChange(
    async (_client, wanted: boolean) => {
      if (!wanted) return unsubscribe(window, client)
      const outcome = await subscribe(window, client)
      if (outcome.kind === 'impossible') notify({ text: outcome.reason, tone: 'bad' })
    },
    [['push']],
  )
  const test = useChange((each) => each.testPush())
  return (
    <>
      <Toggle
        label={words.notifications.toggle}
        hint={words.notifications.hint}
        checked={on.data ?? false}
        disabled={on.isPending || change.isPending}
        onChange={(wanted) =>
          change.mutate(wanted, {
            onError: fail,
            onSettled: () => void queries.invalidateQueries({ queryKey: ['push'] }),
          })
        }
      />
      {on.data === true ? <NotificationChoices /> : null}
      {on.data === true ? (
        <Button
          busy={test.isPending}
          onClick={() =>
            test.mutate(undefined, {
              onSuccess: ({ ok, problem }) =>
                notify(
                  ok
                    ? { text: words.notifications.sent }
                    : { text: problem ?? words.notifications.notSent, tone: 'bad' },
                ),
              onError: fail,
            })
          }
        >
          {words.notifications.test}
        </Button>
      ) : null}
    </>
  )
}
