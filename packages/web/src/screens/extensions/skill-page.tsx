/** One skill: what it says, its files with their hashes, the report, the review, and what it was used for. */
import type { InstalledSkill } from '@countersign/contract'
import { useMutation } from '@tanstack/react-query'
import { useDirectCalls, useDirectPorts } from '../../deciding/use-direct-call.ts'
import { Button, CopyCommand, Facts, FormError, Mono, Safe, Section, Sheet } from '../../kit/index.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/extensions.tsx'
import { ExtensionFrame, type ExtensionPageProps } from './extension-frame.tsx'
import { WhatItDid } from './last-calls.tsx'
import { skillReach } from './rows.ts'
import { allowedToolsRow, originRow } from './skill-facts.tsx'
import { ShownReport, SkillFiles, useReport } from './skill-files.tsx'
import { isReviewedHere, reviewArgs } from './skill-text.ts'
import { StrangersWords } from './strangers-words.tsx'

interface SkillPageProps extends ExtensionPageProps {
  readonly skill: InstalledSkill
}

export function SkillPage({ skill, ...page }: SkillPageProps) {
  const { name, description, source, tree } = skill
  const { scripts } = skillReach(skill)
  return (
    <ExtensionFrame {...page}>
      <div className="mt-3">
        <StrangersWords name={name} text={description} />
      </div>
      <Section title={words.reach.title} level={2}>
        <Sheet>
          <Facts
            rows={[
              [words.from, <Mono key="from" text={source} className="break-all" />],
              ...originRow(skill),
              [words.reach.tree, <Mono key="tree" text={tree} className="break-all" />],
              [
                words.reach.scriptsRow,
                scripts.length === 0 ? (
                  words.reach.noScripts
                ) : (
                  <span key="scripts" className="break-words">
                    <Safe text={listWords(scripts)} />, {words.reach.scriptsRun}
                  </span>
                ),
              ],
              allowedToolsRow(skill),
            ]}
          />
        </Sheet>
      </Section>
      <SkillFiles key={tree} skill={skill} online={page.online} />
      <Review key={`review ${tree}`} skill={skill} online={page.online} />
      <WhatItDid name={name} use={page.row.use} />
    </ExtensionFrame>
  )
}

function useReview(skill: InstalledSkill) {
  const ports = useDirectPorts()
  const direct = useDirectCalls('extensions')
  const report = useReport(skill)
  const review = useMutation({
    mutationFn: async () =>
      direct.call('review_skill', await reviewArgs(ports, skill), words.skill.reviewed(skill.name)),
    retry: false,
  })
  return { report, review }
}

function Review({ skill, online }: Pick<SkillPageProps, 'skill' | 'online'>) {
  const { report, review } = useReview(skill)
  const failure = report.error ?? review.error
  return (
    <Section title={words.skill.report} level={2}>
      <p className="mb-2 max-w-prose text-small text-ink-2">{words.skill.reportAbout}</p>
      {isReviewedHere(skill) ? (
        <>
          <ShownReport name={skill.name} report={report.data} />
          <div className="flex flex-wrap items-center gap-2">
            <Button
              busy={report.isPending}
              disabled={!online || !skill.enabled}
              onClick={() => report.mutate()}
            >
              {words.skill.makeReport}
            </Button>
            {skill.reviewed ? null : (
              <Button
                variant="go"
                busy={review.isPending}
                disabled={!online || !skill.enabled}
                onClick={() => review.mutate()}
              >
                {words.skill.review}
              </Button>
            )}
          </div>
          {skill.reviewed ? null : <p className="mt-1 text-small text-ink-3">{words.skill.reviewAbout}</p>}
          {failure === null ? null : <FormError error={failure} />}
        </>
      ) : (
        <p className="flex flex-wrap items-center gap-2 text-ink-2">
          {words.skill.tooLarge}
          <CopyCommand text={`countersign extension review ${skill.name}`} />
        </p>
      )}
    </Section>
  )
}
