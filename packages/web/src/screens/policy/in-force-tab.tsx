/** What is in force: the level to choose, the rules as sentences, since when and by whom. */

import { Autonomy, askedTimes, type PolicyVersionView } from '@countersign/contract'
import { ButtonLink, classes, EmptyState, Safe, Section, Time } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { ChangePanel } from './change-panel.tsx'
import { PasskeyTools } from './passkey-tools.tsx'
import { usePolicyDraft } from './policy-draft.tsx'
import { holdsRule, withoutRule } from './remove-rule.ts'
import { RuleList } from './rule-list.tsx'

export function InForceTab() {
  const { view, draft, change } = usePolicyDraft()
  return (
    <>
      <h2 className="sr-only">{words.tabs.inForce}</h2>
      <p className="mb-4 text-ink-2">
        <Since version={view.version} />
      </p>
      <ChangePanel brief />
      <div className="grid gap-x-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <Section title={words.inForce.yours} className="mt-0!">
            {view.rules.length === 0 ? (
              <EmptyState
                className="py-0!"
                sentence={words.inForce.noRules}
                action={<ButtonLink to="/policy/edit">{words.inForce.write}</ButtonLink>}
              />
            ) : (
              <>
                <RuleList
                  rules={view.rules.filter((rule) => holdsRule(draft, rule))}
                  onRemove={(rule) => change({ files: withoutRule(draft, rule) })}
                />
                <p className="mt-2">
                  <ButtonLink to="/policy/edit">{words.inForce.edit}</ButtonLink>
                </p>
              </>
            )}
          </Section>
          <Section title={words.inForce.always}>
            <ul className="list-disc space-y-1 ps-5 text-ink-2">
              {view.always.map((sentence) => (
                <li key={sentence}>
                  <Safe text={sentence} />
                </li>
              ))}
            </ul>
            <p className="mt-2 max-w-prose text-small text-ink-3">{words.inForce.weighing}</p>
          </Section>
        </div>
        <div>
          <LevelDial />
          <PasskeyTools />
        </div>
      </div>
    </>
  )
}

export function Since({ version }: { version: PolicyVersionView }) {
  return words.inForce.since(
    version.number,
    <Time at={version.at} />,
    version.by.kind === 'gateway' ? words.inForce.files : <Safe text={version.by.name} />,
    version.sealedBy === 'passkey',
  )
}

function LevelDial() {
  const { view, draft, change } = usePolicyDraft()
  const { fixed } = view
  const [weeks, heldOut] = askedTimes(view.asked)
  return (
    <fieldset disabled={fixed.autonomy !== null}>
      <legend className="mb-2 font-semibold">{words.inForce.level}</legend>
      {fixed.autonomy === null ? null : (
        <p className="mb-2 text-small text-ink-2">
          <Safe text={fixed.autonomy} />
        </p>
      )}
      <div className="rounded-2 border border-line bg-sheet">
        {view.levels.map(({ level, about, asksPer100 }) => (
          <label
            key={level}
            className={classes(
              'target flex items-start gap-3 border-t border-line px-4 py-2.5 first:border-t-0 has-focus-visible:outline-2 has-focus-visible:outline-act',
              draft.autonomy === level && 'bg-act-soft/50',
            )}
          >
            <input
              type="radio"
              name="policy-level"
              className="mt-1 accent-act"
              checked={draft.autonomy === level}
              onChange={() => change({ autonomy: Autonomy.parse(level) })}
            />
            <span className="min-w-0 flex-1 font-medium">
              {words.inForce.levels[level]}
              {asksPer100 === null ? null : (
                <span className="float-end text-small font-normal text-ink-3">
                  {words.inForce.asks(Math.round(asksPer100))}
                </span>
              )}
              <span className="block text-small font-normal text-ink-2">
                <Safe text={about} />
              </span>
            </span>
          </label>
        ))}
      </div>
      <p className="mt-1 text-small text-ink-3">{words.inForce.measured(...weeks, heldOut.join(', '))}</p>
    </fieldset>
  )
}
