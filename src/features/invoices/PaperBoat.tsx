import { Drawing, LINE, THIN_LINE } from '../../ui/drawings/Drawing.tsx'

export const PaperBoat = () => (
  <Drawing>
    <circle cx="160" cy="34" r="15" fill="var(--sun)" />
    <path d="M62 92h96l-18 22H80z" fill="var(--surface)" {...LINE} />
    <path d="M110 90V46l34 42z" fill="var(--surface)" {...LINE} />
    <path d="M110 56 82 88h28z" fill="var(--river-tint)" {...LINE} />
    <path d="M118 78h12M118 70h6" {...THIN_LINE} />
    <path d="M44 121c8-5 14-5 22 0s14 5 22 0 14-5 22 0 14 5 22 0 14-5 22 0 14 5 22 0" {...THIN_LINE} />
  </Drawing>
)
