import { useState } from 'react';
import { chooseTheme, readTheme, type Theme } from '#web/shell/theme.ts';
import { Card } from '#web/ui/Card.tsx';
import { Radio } from '#web/ui/inputs.tsx';

const CHOICES: { value: Theme; label: string; hint: string }[] = [
  { value: 'system', label: 'Match device', hint: 'Follows your phone or computer.' },
  { value: 'light', label: 'Light', hint: 'Always light.' },
  { value: 'dark', label: 'Dark', hint: 'Always dark.' },
];

export function AppearancePanel() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (value: Theme) => {
    setTheme(value);
    chooseTheme(value);
  };
  return (
    <Card title="Appearance" description="Saved in this browser.">
      <fieldset className="grid gap-3 sm:grid-cols-3">
        <legend className="sr-only">Theme</legend>
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
