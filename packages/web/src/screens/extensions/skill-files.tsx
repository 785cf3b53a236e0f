/** The files of a skill with their hashes, each to be read, and the report on them; of one that waits for a review too. */
import type { InstalledSkill } from '@countersign/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useDirectPorts } from '../../deciding/use-direct-call.ts'
import { Button, Chip, FormError, Mono, Safe, Section, Sheet, useGrowing } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/extensions.tsx'
import { type ReadableSkill, reportOf, skillText } from './skill-text.ts'
import { StrangersWords } from './strangers-words.tsx'

interface FilesProps {
  readonly skill: ReadableSkill & Pick<InstalledSkill, 'enabled'>
  readonly online: boolean
}

/** They are read one by one. */
export function SkillFiles({ skill, online }: FilesProps) {
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
}: FilesProps & { readonly file: InstalledSkill['files'][number] }) {
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

export function useReport(skill: ReadableSkill) {
  const ports = useDirectPorts()
  return useMutation({
    mutationFn: async () => {
      const texts = new Map<string, string>()
      for (const { path } of skill.files) texts.set(path, await skillText(ports, skill, path))
      return reportOf(skill, texts)
    },
    retry: false,
  })
}

export function ShownReport({
  name,
  report,
}: {
  readonly name: string
  /** Undefined before it was made. */
  readonly report: readonly string[] | undefined
}) {
  return (
    <div role="status">
      {report === undefined ? null : report.length === 0 ? (
        <p className="mb-2">{words.skill.cleanReport}</p>
      ) : (
        <StrangersWords name={name} text={report.join('\n')} />
      )}
    </div>
  )
}
