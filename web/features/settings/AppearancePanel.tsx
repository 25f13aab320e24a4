import { useState } from 'react';
import { APPEARANCE_PANEL } from '#web/features/settings/words.ts';
import { chooseTheme, readTheme, type Theme } from '#web/shell/theme.ts';
import { Card } from '#web/ui/Card.tsx';
import { Radio } from '#web/ui/inputs.tsx';

const CHOICES: { value: Theme; label: string; hint: string }[] = [
  { value: 'system', label: APPEARANCE_PANEL.matchDevice, hint: APPEARANCE_PANEL.followsYourPhoneOr },
  { value: 'light', label: APPEARANCE_PANEL.light, hint: APPEARANCE_PANEL.alwaysLight },
  { value: 'dark', label: APPEARANCE_PANEL.dark, hint: APPEARANCE_PANEL.alwaysDark },
];

export function AppearancePanel() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (value: Theme) => {
    setTheme(value);
    chooseTheme(value);
  };
  return (
    <Card title={APPEARANCE_PANEL.appearance} description={APPEARANCE_PANEL.savedInThisBrowser}>
      <fieldset className="grid gap-3 sm:grid-cols-3">
        <legend className="sr-only">{APPEARANCE_PANEL.theme}</legend>
        {CHOICES.map(({ value, label, hint }) => (
          <Radio
            key={value}
            name="theme"
            value={value}
            label={label}
            hint={hint}
            checked={theme === value}
            onChange={() => choose(value)}
          />
        ))}
      </fieldset>
    </Card>
  );
}
