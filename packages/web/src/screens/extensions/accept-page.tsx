/** Choosing what to accept of a server: a tier for each tool, the words it comes with, and what differs from before. */
import { definitionText, type InstalledServer, serverPreset, serverPresets } from '@countersign/contract'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import {
  Button,
  Chip,
  Diff,
  EmptyState,
  FormError,
  Link,
  Mono,
  Page,
  Safe,
  Select,
  Sheet,
  type Tone,
  useGrowing,
} from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/extensions.tsx'
import {
  type AskedTool,
  acceptanceArgs,
  askedTools,
  type Choices,
  choiceOf,
  type TierChoice,
} from './acceptance.ts'
import { StrangersWords } from './strangers-words.tsx'
import { TierCases } from './tier-cases.tsx'

const tiers = [0, 1, 2, 3, 4] as const
const tones: Readonly<Record<AskedTool['kind'], Tone>> = {
  changed: 'bad',
  gone: 'bad',
  new: 'waiting',
  accepted: 'plain',
}

export function AcceptPage({
  server,
  backTo,
  online,
}: {
  server: InstalledServer
  backTo: string
  online: boolean
}) {
  const { name } = server
  const asking = useAcceptance(server)
  const { tools, args, failure } = asking
  return (
    <Page title={words.accept.title(name)} width="reading">
      <Link to={backTo} className="target -mt-2 mb-2 inline-flex items-center gap-1.5 text-small">
        <ArrowLeft size={14} aria-hidden className="rtl:rotate-180" />
        <Safe text={words.accept.back(name)} />
      </Link>
      {tools.length === 0 ? (
        <EmptyState sentence={words.accept.nobody} />
      ) : (
        <>
          <p className="max-w-prose text-ink-2">{words.accept.about}</p>
          <div className="mt-3 grid items-end gap-3 sm:grid-cols-2">
            <Select
              label={words.accept.preset}
              value={asking.presetName}
              onChange={({ target }) => asking.setPreset(target.value)}
              options={[
                ['', words.accept.noPreset],
                ...Object.keys(serverPresets).map((each) => [each, each] as const),
              ]}
            />
            {tools.some(({ kind }) => kind === 'new') ? (
              <Button onClick={asking.chooseSuggested}>{words.accept.allSuggested}</Button>
            ) : null}
          </div>
          <ToolList server={name} tools={tools} choices={asking.choices} onChoose={asking.choose} />
          <div className="sticky bottom-0 mt-4 flex flex-wrap items-center gap-3 border-t border-line bg-paper py-3 max-md:bottom-(--thumb-bar)">
            <Button
              variant="go"
              size="large"
              busy={asking.busy}
              disabled={!online || args === undefined}
              onClick={() => void asking.submit()}
            >
              {words.accept.submit}
            </Button>
            <span role="status" className="text-small text-ink-3">
              {args === undefined ? words.accept.nothing : ''}
            </span>
            {failure === null ? null : <FormError error={failure} />}
          </div>
        </>
      )}
    </Page>
  )
}

/** What is chosen, and the call that comes of it. */
function useAcceptance(server: InstalledServer) {
  const { name } = server
  const [presetName, setPreset] = useState('')
  const [choices, setChoices] = useState<Choices>({})
  const [failure, setFailure] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const direct = useDirectCalls('extensions')
  const preset = presetName === '' ? undefined : serverPreset(presetName)
  const tools = askedTools(server, preset)
  const args = acceptanceArgs(server, preset, choices)
  const submit = async () => {
    if (args === undefined) return
    setBusy(true)
    setFailure(null)
    try {
      await direct.call('accept_server_tools', args, words.accept.done(name))
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(false)
    }
  }
  const chooseSuggested = () =>
    setChoices({
      ...choices,
      ...Object.fromEntries(
        tools.flatMap(({ name: tool, kind, suggested }) =>
          kind === 'new' ? [[tool, `${suggested}` as TierChoice]] : [],
        ),
      ),
    })
  return {
    tools,
    args,
    failure,
    busy,
    submit,
    presetName,
    setPreset,
    chooseSuggested,
    choices,
    choose: (tool: string, choice: TierChoice) => setChoices({ ...choices, [tool]: choice }),
  }
}

function ToolList({
  server,
  tools,
  choices,
  onChoose,
}: {
  server: string
  tools: readonly AskedTool[]
  choices: Choices
  onChoose: (tool: string, choice: TierChoice) => void
}) {
  const { shown, more } = useGrowing(tools)
  return (
    <>
      <ul className="mt-4 space-y-3">
        {shown.map((asked) => (
          <li key={asked.name}>
            <ToolChoice
              server={server}
              asked={asked}
              value={choiceOf(choices, asked)}
              onChoose={(choice) => onChoose(asked.name, choice)}
            />
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

function ToolChoice({
  server,
  asked,
  value,
  onChoose,
}: {
  server: string
  asked: AskedTool
  value: TierChoice
  onChoose: (choice: TierChoice) => void
}) {
  const { name, kind, before, suggested, cases } = asked
  return (
    <Sheet>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 text-base font-[600] break-words">
          <Safe text={name} />
        </h2>
        <Chip tone={tones[kind]}>{words.accept.kinds[kind]}</Chip>
      </div>
      {kind === 'gone' ? (
        <p className="mt-1 text-small text-ink-2">{words.accept.isGone}</p>
      ) : (
        <div className="mt-2 max-w-72">
          <Select
            label={words.accept.tier(name)}
            value={value}
            hint={kind === 'new' ? words.accept.suggested(common.tier.names[suggested]) : undefined}
            onChange={({ target }) => onChoose(target.value as TierChoice)}
            options={[
              ['none', before === null ? words.accept.none : words.accept.noMore],
              ...tiers.map((tier) => [`${tier}`, `T${tier} ${common.tier.names[tier]}`] as const),
            ]}
          />
        </div>
      )}
      {value === `${suggested}` ? <TierCases cases={cases} /> : null}
      <ToolWords server={server} asked={asked} />
    </Sheet>
  )
}

/** All that the server says of a tool, or what it says otherwise than it did. */
function ToolWords({ server, asked: { name, tool, kind, before } }: { server: string; asked: AskedTool }) {
  const text = definitionText(tool)
  if (kind === 'changed' && before !== null)
    return (
      <StrangersWords name={server} text={text}>
        <Diff before={definitionText(before)} after={text} label={words.accept.difference(name)} />
      </StrangersWords>
    )
  return (
    <>
      <StrangersWords name={server} text={tool.description} />
      <details className="text-small">
        <summary className="target cursor-pointer text-ink-2">
          {words.tools.definition}
          <span className="sr-only">
            {' '}
            <Safe text={name} />
          </span>
        </summary>
        <div className="mt-1 border-s-2 border-line-strong ps-3">
          <Mono block text={text} />
        </div>
      </details>
    </>
  )
}
