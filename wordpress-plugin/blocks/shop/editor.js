/** The block "Shop ingredients" in the editor: a note. Readers get what PHP prints. */
((wp) => {
  const { createElement } = wp.element;
  const { Placeholder } = wp.components;
  const { __ } = wp.i18n;

  wp.blocks.registerBlockType('creator-hq/shop', {
    edit: () =>
      createElement(
        'div',
        wp.blockEditor.useBlockProps(),
        createElement(Placeholder, {
          icon: 'cart',
          label: __('Shop ingredients', 'creator-hq'),
          instructions: __('Readers see the button here once the recipe has a shopping list.', 'creator-hq'),
        }),
      ),
    save: () => null,
  });
})(window.wp);
