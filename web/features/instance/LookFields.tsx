import { type Accent, accentNames, accents } from '#contract/instance/accents.ts'
import { type Icon, iconLabels, iconNames, iconOf } from '#contract/instance/icons.ts'
import { instanceLabels } from '#contract/instance/settings.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

interface LookFieldsProps {
  accent: Accent
  icon: Icon
  onAccent: (accent: Accent) => void
  onIcon: (icon: Icon) => void
}

/** The accent colour, each with a sample, and the icon, each drawn in the colour that is chosen. */
export const LookFields = ({ accent, icon, onAccent, onIcon }: LookFieldsProps) => (
  <>
    <RadioGroup
      inline
      legend={instanceLabels.accent}
      value={accent}
      onChange={onAccent}
      options={accentNames.map((name) => ({
        value: name,
        label: (
          <span className="flex items-center gap-2">
            <span data-accent={name} aria-hidden className="size-5 rounded-full bg-lamp" />
            {accents[name].label}
          </span>
        ),
      }))}
    />
    <RadioGroup
      inline
      legend={instanceLabels.icon}
      value={icon}
      onChange={onIcon}
      options={iconNames.map((name) => ({
        value: name,
        label: (
          <span className="flex items-center gap-2">
            <img
              alt=""
              src={`data:image/svg+xml,${encodeURIComponent(iconOf(name, accent))}`}
              className="size-8"
            />
            {iconLabels[name]}
          </span>
        ),
      }))}
    />
    <p className="text-xs text-ink-soft">
      The colour of links and buttons, by day and by night, also in mails and in previews of links. The icon
      stands in tabs, in notifications and where people install this instance as an app. An open page shows
      them after a reload.
    </p>
  </>
)
