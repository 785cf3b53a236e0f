/** The rules as they hold: the level, and the operator's own files. Read here, written in an editor. */

import { useGateway, useStatus } from '../../environment/queries.ts'
import { Chip, Commands, classes, Facts, Loaded, Mono, Section, Sheet } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
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
            <h2 className="sr-only">{words.tabs.rules}</h2>
            <Section title={words.rules.free(autonomy)} className="mt-0!">
              <FreeList free={free} />
            </Section>
            <Section title={words.rules.yours}>
              <RuleTable rules={rules} />
              {rules.length === 0 ? <p className="mt-1 text-small text-ink-3">{words.rules.most}</p> : null}
            </Section>
            <Section title={words.rules.weighing}>
              <p className="max-w-prose text-ink-2">{words.rules.weighingText}</p>
            </Section>
            <Section title={words.rules.change}>
              <p className="mb-2 max-w-prose text-ink-2">{words.rules.changeText}</p>
              <Commands
                rows={[
                  [words.rules.paths, 'countersign paths'],
                  [words.rules.reload, 'countersign down && countersign up'],
                ]}
              />
            </Section>
          </div>
          <Section title={words.rules.fiveLevels} className="lg:mt-0!">
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
                      {level === autonomy ? <Chip tone="act">{words.rules.now}</Chip> : null}
                    </p>
                    <p className="text-small text-ink-2">{levelWords(level)}</p>
                  </li>
                ))}
              </ol>
            </Sheet>
            {status.data === undefined ? null : (
              <Facts
                className="mt-3 text-small"
                rows={[[words.rules.policy, <Mono key="policy" text={status.data.policy.slice(0, 16)} />]]}
              />
            )}
          </Section>
        </div>
      )}
    </Loaded>
  )
}
