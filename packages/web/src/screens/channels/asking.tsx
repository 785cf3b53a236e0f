/** People who ask to be let in. The code is in their chat: whoever does not have it from them lets nobody in. */
import { PairingCode, type PeerRole, type PeerView } from '@countersign/contract'
import { useId, useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import {
  ApproveButton,
  Button,
  Choice,
  DisplayFlags,
  FormError,
  Mono,
  Safe,
  Sheet,
  TextField,
  Time,
  useAct,
  useNotify,
} from '../../kit/index.ts'
import { words } from '../../words/channels.tsx'

const roles: readonly PeerRole[] = ['guest', 'trusted', 'operator']

export function Asking({ peers, online }: { peers: readonly PeerView[]; online: boolean }) {
  const id = useId()
  if (peers.length === 0) return null
  return (
    <section aria-labelledby={id} className="mb-8">
      <h2 id={id} className="mb-2">
        {words.admit.title(peers.length)}
      </h2>
      <Sheet padded={false} className="border-edge! shadow-1">
        <ul>
          {peers.map((peer) => (
            <AskingRow key={`${peer.channel}/${peer.peer}`} peer={peer} online={online} />
          ))}
        </ul>
        <AdmitForm online={online} />
      </Sheet>
    </section>
  )
}

function AskingRow({ peer, online }: { peer: PeerView; online: boolean }) {
  const { act, isBusy } = useAct([['peers'], ['channels']])
  const { channel, peer: id, name, askedAt } = peer
  const block = () =>
    void act(
      (client) => client.changePeer({ channel, peer: id, change: { kind: 'block' } }),
      words.people.blockedDone(name),
    )
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <span className="font-medium">
            <Safe text={name} />
          </span>{' '}
          <Mono text={id} className="break-all" />
        </p>
        <p className="text-small text-ink-3">
          <Safe text={channel} />
          {askedAt === null ? null : <> · {words.admit.asked(<Time at={askedAt} />)}</>}
        </p>
        <DisplayFlags texts={[name, id]} multiline={false} />
      </div>
      <Button size="small" busy={isBusy} disabled={!online} onClick={block}>
        {words.people.block}
        <span className="sr-only"> {name}</span>
      </Button>
    </li>
  )
}

/** `as` where it is known who they are: then it is not asked. */
export function AdmitForm({ online, as }: { online: boolean; as?: PeerRole }) {
  const notify = useNotify()
  const [typed, setTyped] = useState('')
  const [role, setRole] = useState<PeerRole>(as ?? 'guest')
  const [isTold, setTold] = useState(false)
  const code = PairingCode.safeParse(typed)
  const admit = useChange(
    async (client, given: string) => {
      const { peer, ledger } = await client.admitPeer({ code: given, role, limits: {} })
      // Said at once: when nobody asks any more, this form is gone.
      notify({ text: words.admit.done(peer.name, ledger) })
    },
    [['peers'], ['channels']],
  )
  const letIn = () => {
    setTold(true)
    if (!code.success) return
    admit.mutate(code.data, {
      onSuccess: () => {
        setTyped('')
        setTold(false)
      },
    })
  }
  return (
    <form
      className={as === undefined ? 'space-y-3 px-4 py-3' : 'mt-2 space-y-3'}
      onSubmit={(event) => event.preventDefault()}
    >
      {as === undefined ? <p className="max-w-prose text-ink-2">{words.admit.about}</p> : null}
      <TextField
        label={words.admit.code}
        hint={words.admit.codeHint}
        className="max-w-60 font-mono uppercase"
        maxLength={20}
        spellCheck={false}
        autoCapitalize="characters"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTold(typed !== '')}
        problem={isTold && !code.success ? words.admit.codeProblem : undefined}
      />
      {as === undefined ? (
        <Choice
          label={words.admit.as}
          value={role}
          options={roles.map((value) => ({ value, ...words.admit.roles[value] }))}
          onChange={setRole}
        />
      ) : null}
      {admit.error === null ? null : <FormError error={admit.error} />}
      <div className="flex justify-end">
        <ApproveButton busy={admit.isPending} disabled={!online} onClick={letIn}>
          {as === 'operator' ? words.admit.letMeIn : words.admit.letIn}
        </ApproveButton>
      </div>
    </form>
  )
}
