/** The three forms that a creator finds at their first look. */
import type { FormDesign, FormTexts } from '#contract/forms.ts';

const TEXTS: FormTexts = {
  language: 'en',
  heading: 'Save this recipe',
  description: 'We’ll email it to you, so you find it when you cook.',
  emailLabel: 'Your email',
  placeholder: 'you@example.com',
  firstNameLabel: 'First name',
  button: 'Email me the recipe',
  thanks: 'It’s on its way. Look in your inbox.',
  newsletter: 'Yes, send me new recipes too',
  privacyLabel: 'Privacy policy',
};

const DESIGN: FormDesign = {
  texts: [TEXTS],
  firstName: false,
  layout: 'stacked',
  look: {
    kind: 'own',
    background: '#f6f4ef',
    text: '#22261f',
    font: 'system',
    button: '#1f6f4a',
    buttonText: '#ffffff',
    buttonHeight: 48,
    corners: 8,
  },
  pictureUrl: null,
  newsletter: 'unticked',
  privacyUrl: null,
  confirm: 'mail',
};

export const MADE_FORMS: { kind: 'save' | 'signup'; name: string; design: FormDesign }[] = [
  { kind: 'save', name: 'Save this recipe', design: DESIGN },
  {
    kind: 'save',
    name: 'Save bar',
    design: {
      ...DESIGN,
      layout: 'inline',
      look: { ...DESIGN.look, kind: 'theme', buttonHeight: 44, corners: 4 },
      texts: [{ ...TEXTS, heading: '', description: '' }],
    },
  },
  {
    kind: 'signup',
    name: 'Newsletter',
    design: {
      ...DESIGN,
      firstName: true,
      newsletter: 'off',
      texts: [
        {
          ...TEXTS,
          heading: 'New recipes by email',
          description: 'One email a week. Unsubscribe whenever you like.',
          button: 'Sign me up',
          thanks: 'Please confirm: we sent you an email.',
          newsletter: 'Yes, send me new recipes',
        },
      ],
    },
  },
];
