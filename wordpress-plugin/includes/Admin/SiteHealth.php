<?php
/**
 * Two tests under Tools, Site Health.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Admin;

final class SiteHealth {

	public static function tests( $tests ) {
		$tests['direct']['creator_hq'] = array(
			'label' => 'Creator HQ',
			'test'  => array( self::class, 'test' ),
		);
		return $tests;
	}

	public static function test(): array {
		$bad = array_values(
			array_filter(
				Status::lines(),
				function ( $line ) {
					return 'bad' === $line['level'];
				}
			)
		);
		$is_good = array() === $bad;
		return array(
			'label'       => $is_good ? __( 'Creator HQ is connected and works', 'creator-hq' ) : $bad[0]['text'],
			'status'      => $is_good ? 'good' : 'recommended',
			'badge'       => array(
				'label' => 'Creator HQ',
				'color' => 'blue',
			),
			'description' => '<p>' . esc_html( $is_good ? __( 'Readers can save recipes to their inbox.', 'creator-hq' ) : $bad[0]['remedy'] ) . '</p>',
			'test'        => 'creator_hq',
		);
	}
}
