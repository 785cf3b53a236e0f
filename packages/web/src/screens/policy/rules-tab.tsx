/** The rules as they hold: the level, and the operator's own files. Read here, written in an editor. */
import { useGateway, useStatus } from '../../data/queries.ts'
import { Chip, Commands, classes, Facts, Loaded, Mono, Section, Sheet } from '../../kit/index.ts'
import { levelNames, levelWords } from './grants.ts'
import { FreeList, RuleTable } from './rule-lists.tsx'

export function RulesTab() {
  const status = useStatus()
  const whatCan = useGateway(['grants', 'what-can', null], (client) => client.whatCan())
  return (
    <Loaded query={whatCan}>
      {({ autonomy, free, rules }) => (
        <div className="grid gap-x-10 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <div className="min-w-0">
            <h2 className="sr-only">Rules</h2>
            <Section title={`What level ${autonomy} lets through by itself`} className="mt-0!">
              <FreeList free={free} />
            </Section>
            <Section title="Your rules">
              <RuleTable rules={rules} />
              {rules.length === 0 ? (
                <p className="mt-1 text-small text-ink-3">Most people need three to eight.</p>
              ) : null}
            </Section>
            <Section title="How they are weighed">
              <p className="max-w-prose text-ink-2">
                A refusal wins over a question, and a question over a permission; the order of the files does
                not matter. The rules that come with Countersign cannot be undone by yours. A policy that does
                not hold together never goes live.
              </p>
            </Section>
            <Section title="To change them">
              <p className="mb-2 max-w-prose text-ink-2">
                Rules are Cedar files in your policy folder, one file for each subject. Edit them there; the
                gateway reads them when it starts.
              </p>
              <Commands
                rows={[
                  ['See where the policy folder is', 'countersign paths'],
                  ['Have them read anew', 'countersign down && countersign up'],
                ]}
              />
            </Section>
          </div>
          <Section title="The five levels" className="lg:mt-0!">
            <Sheet padded={false}>
              <ol>
                {levelNames.map((level) => (
                  <li
                    key={level}
                    aria-current={level === autonomy ? 'true' : undefined}
                    className={classes(
                      'border-t border-line px-4 py-2.5 first:border-t-0',
                      level === autonomy && 'bg-act-soft/50',
                    )}
                  >
                    <p className="flex items-center gap-2 font-medium">
                      {level}
                      {level === autonomy ? <Chip tone="act">now</Chip> : null}
                    </p>
                    <p className="text-small text-ink-2">{levelWords(level)}</p>
                  </li>
                ))}
              </ol>
            </Sheet>
            {status.data === undefined ? null : (
              <Facts
                className="mt-3 text-small"
                rows={[['Policy', <Mono key="policy" text={status.data.policy.slice(0, 16)} />]]}
              />
            )}
          </Section>
        </div>
      )}
    </Loaded>
  )
}
