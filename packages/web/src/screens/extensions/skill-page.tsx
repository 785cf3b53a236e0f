/** One skill: what it says, its files with their hashes, the report, the review, and what it was used for. */
import type { InstalledSkill } from '@countersign/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useDirectCalls, useDirectPorts } from '../../deciding/use-direct-call.ts'
import {
  Button,
  Chip,
  CopyCommand,
  Facts,
  FormError,
  Mono,
  Safe,
  Section,
  Sheet,
  useGrowing,
} from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { listWords } from '../../language/plural.ts'
import { words } from '../../words/extensions.tsx'
import { ExtensionFrame, type ExtensionPageProps } from './extension-frame.tsx'
import { WhatItDid } from './last-calls.tsx'
import { skillReach } from './rows.ts'
import { isReviewedHere, reportOf, reviewArgs, skillText } from './skill-text.ts'
import { StrangersWords } from './strangers-words.tsx'

interface SkillPageProps extends ExtensionPageProps {
  readonly skill: InstalledSkill
}

export function SkillPage({ skill, ...page }: SkillPageProps) {
  const { name, description, source, tree, allowedTools } = skill
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
              [
                words.skill.allowedTools,
                allowedTools === null ? (
                  words.skill.anyTools
                ) : (
                  <Safe key="tools" text={listWords(allowedTools)} />
                ),
              ],
            ]}
          />
        </Sheet>
      </Section>
      <Files key={tree} skill={skill} online={page.online} />
      <Review key={`review ${tree}`} skill={skill} online={page.online} />
      <WhatItDid name={name} use={page.row.use} />
    </ExtensionFrame>
  )
}

function Files({ skill, online }: Pick<SkillPageProps, 'skill' | 'online'>) {
  const { shown, more } = useGrowing(skill.files)
  return (
    <Section title={words.skill.files} level={2}>
      <p className="mb-2 text-small text-ink-3">
        {skill.enabled ? words.skill.reading : words.skill.pausedRead}
      </p>
      <Sheet padded={false}>
        <ul aria-label={words.skill.files}>
          {shown.map((file) => (
            <SkillFileRow key={file.path} skill={skill} file={file} online={online} />
          ))}
        </ul>
        {more}
      </Sheet>
    </Section>
  )
}

function SkillFileRow({
  skill,
  file: { path, size, sha256, executable },
  online,
}: Pick<SkillPageProps, 'skill' | 'online'> & { readonly file: InstalledSkill['files'][number] }) {
  const ports = useDirectPorts()
  const [open, setOpen] = useState(false)
  const read = useMutation({ mutationFn: () => skillText(ports, skill, path), retry: false })
  const toggle = () => {
    setOpen(!open)
    if (!open && read.data === undefined) read.mutate()
  }
  return (
    <li className="border-t border-line px-4 py-2.5 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Safe text={path} className="min-w-0 font-medium break-all" />
        <span className="text-small text-ink-3">{sizeWords(size)}</span>
        {executable ? <Chip tone="waiting">{words.skill.runs}</Chip> : null}
        <span className="ms-auto">
          <Button
            size="small"
            aria-label={open ? `${words.skill.close} ${path}` : words.skill.read(path)}
            aria-expanded={open}
            busy={read.isPending}
            disabled={!online || !skill.enabled}
            onClick={toggle}
          >
            {open ? words.skill.close : words.skill.readShort}
          </Button>
        </span>
      </div>
      <p className="text-small text-ink-3">
        {words.skill.hash} <Mono text={sha256} className="break-all" />
      </p>
      {open && read.data !== undefined ? (
        <StrangersWords name={skill.name} text={read.data}>
          <Mono block text={read.data} />
        </StrangersWords>
      ) : null}
      {open && read.error !== null ? <FormError error={read.error} /> : null}
    </li>
  )
}

function useReview(skill: InstalledSkill) {
  const ports = useDirectPorts()
  const direct = useDirectCalls('extensions')
  const report = useMutation({
    mutationFn: async () => {
      const texts = new Map<string, string>()
      for (const { path } of skill.files) texts.set(path, await skillText(ports, skill, path))
      return reportOf(skill, texts)
    },
    retry: false,
  })
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
          <div role="status">
            {report.data === undefined ? null : report.data.length === 0 ? (
              <p className="mb-2">{words.skill.cleanReport}</p>
            ) : (
              <StrangersWords name={skill.name} text={report.data.join('\n')} />
            )}
          </div>
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
