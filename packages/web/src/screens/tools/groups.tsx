/** Owns the groups of tools: one switch for each, and which of its tools are shown. */
import type { ToolGroupView } from '@countersign/contract'
import { useChange, useGateway } from '../../environment/queries.ts'
import { Button, Loaded, Safe, Section, Sheet, Toggle, useNotify } from '../../kit/index.ts'
import { words } from '../../words/tools.tsx'

export function Groups({ onShow }: { onShow: (group: string) => void }) {
  const groups = useGateway(['tools', 'groups'], (client) => client.toolGroups())
  return (
    <Section level={2} title={words.groups.title} className="mt-0">
      <p className="mb-2 max-w-prose text-ink-2">{words.groups.about}</p>
      <Loaded query={groups}>
        {(all) => (
          <Sheet padded={false}>
            {all.map((group) => (
              <Group key={group.name} group={group} onShow={() => onShow(group.name)} />
            ))}
          </Sheet>
        )}
      </Loaded>
    </Section>
  )
}

function Group({ group, onShow }: { group: ToolGroupView; onShow: () => void }) {
  const notify = useNotify()
  const change = useChange((client, on: boolean) => client.switchTool(group.name, on), [['tools']])
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <Toggle
        label={group.title}
        hint={
          <Safe text={group.needs === null ? group.about : words.groups.needs(group.about, group.needs)} />
        }
        checked={group.enabled}
        disabled={change.isPending}
        onChange={(on) =>
          change.mutate(on, {
            onSuccess: ({ ledger }) => notify({ text: (on ? words.isOn : words.isOff)(group.title, ledger) }),
            onError: (error) => notify({ text: error.message, tone: 'bad' }),
          })
        }
      />
      <Button variant="quiet" size="small" onClick={onShow}>
        {words.count(group.tools.length)}
      </Button>
    </div>
  )
}
