/** The block "Creator HQ form" in the editor: a picker. Readers get what PHP prints. */
((wp) => {
  const { createElement, useEffect, useState } = wp.element;
  const { Placeholder, SelectControl, Spinner } = wp.components;
  const { __ } = wp.i18n;

  // biome-ignore lint/correctness/noComponentHookFactories: A classic script has no scope of its own but this function.
  function Edit({ attributes, setAttributes }) {
    const [forms, setForms] = useState(null);
    useEffect(() => {
      wp.apiFetch({ path: '/creator-hq/v1/forms' }).then(setForms, () => setForms([]));
    }, []);
    return createElement(
      'div',
      wp.blockEditor.useBlockProps(),
      createElement(
        Placeholder,
        {
          icon: 'email',
          label: __('Creator HQ form', 'creator-hq'),
          instructions: instructions(forms, attributes.form),
        },
        forms === null && createElement(Spinner),
        forms?.length > 0 &&
          createElement(SelectControl, {
            label: __('Form', 'creator-hq'),
            value: attributes.form,
            options: [
              { value: '', label: __('The first one for saving recipes', 'creator-hq') },
              ...forms.map(({ key, name }) => ({ value: key, label: name })),
            ],
            onChange: (form) => setAttributes({ form }),
          }),
      ),
    );
  }

  function instructions(forms, chosen) {
    if (forms === null) return '';
    if (forms.length === 0) {
      return __('No forms yet. Connect your blog under Settings, Creator HQ, and make a form there.', 'creator-hq');
    }
    return chosen !== '' && !forms.some(({ key }) => key === chosen)
      ? __('This form is gone. Choose another one.', 'creator-hq')
      : __('Readers see the form here.', 'creator-hq');
  }

  wp.blocks.registerBlockType('creator-hq/form', { edit: Edit, save: () => null });
})(window.wp);
