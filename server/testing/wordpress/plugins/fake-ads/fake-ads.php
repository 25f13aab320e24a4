<?php
/**
 * Plugin Name: Fake ads
 *
 * What Raptive, Mediavine, AdSense and Advanced Ads do, as far as ours has to do with it: each draws its slots unless its own
 * switch says no. `?fake_print=1` is a print page with the actions of WP Recipe Maker's.
 */

function fake_ads_scripts() {
	?>
<script id="fake-ads">
addEventListener('DOMContentLoaded', function () {
	function slot(name) { var e = document.createElement('div'); e.className = 'ad-slot ' + name; e.textContent = name; document.body.append(e); }
	if (!document.body.classList.contains('adthrive-disable-all')) { slot('raptive-content'); slot('raptive-footer'); }
	var s = document.getElementById('mediavine-settings');
	['content-desktop', 'sidebar-atf', 'adhesion-desktop', 'recipe-desktop'].forEach(function (kind) {
		if (!s || !(s.getAttribute('data-blocklist-all') || s.getAttribute('data-blocklist-' + kind))) slot('mediavine-' + kind);
	});
	if (!s || !(s.getAttribute('data-blocklist-all') || s.getAttribute('data-blocklist-universal-player-desktop'))) {
		var v = document.createElement('div'); v.className = 'mediavine-video'; document.body.append(v);
	}
	var g = window.adsbygoogle || [];
	if (!g.pauseAdRequests) document.querySelectorAll('ins.adsbygoogle').forEach(function (e) { e.classList.add('ad-slot'); e.textContent = 'adsense'; });
});
</script>
	<?php
}

add_action( 'wp_head', 'fake_ads_scripts', 5 );
add_filter(
	'the_content',
	function ( $content ) {
		$own = apply_filters( 'advanced-ads-output-final', '<div class="ad-slot advanced-ads">ad</div>', null, array() );
		return $content . $own . '<ins class="adsbygoogle"></ins>';
	}
);
add_action(
	'template_redirect',
	function () {
		if ( ! isset( $_GET['fake_print'] ) ) {
			return;
		}
		echo '<!doctype html><html><head><title>Print</title>';
		do_action( 'wprm_print_head' );
		fake_ads_scripts();
		echo '</head><body>';
		do_action( 'wprm_print_body_open' );
		echo '<ins class="adsbygoogle"></ins></body></html>';
		exit;
	}
);
