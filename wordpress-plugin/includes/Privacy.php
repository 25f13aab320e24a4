<?php
/**
 * WordPress's own export and erasure of a person's data, for what waits here; and a text for the privacy page.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Forms\Network;

final class Privacy {

	public static function exporters( $exporters ) {
		$exporters['creator-hq'] = array(
			'exporter_friendly_name' => 'Creator HQ',
			'callback'               => array( self::class, 'export' ),
		);
		return $exporters;
	}

	public static function erasers( $erasers ) {
		$erasers['creator-hq'] = array(
			'eraser_friendly_name' => 'Creator HQ',
			'callback'             => array( self::class, 'erase' ),
		);
		return $erasers;
	}

	public static function export( $email ): array {
		global $wpdb;
		$rows = Tables::are_there()
			? $wpdb->get_results( $wpdb->prepare( 'SELECT id, body FROM %i WHERE address = %s', Tables::outbox(), Network::hashed_address( (string) $email ) ) )
			: array();
		$items = array();
		foreach ( $rows as $row ) {
			$submission = json_decode( $row->body, true );
			$items[]    = array(
				'group_id'    => 'creator-hq',
				'group_label' => __( 'Saved recipes that wait to be sent', 'creator-hq' ),
				'item_id'     => 'creator-hq-' . $row->id,
				'data'        => array(
					array(
						'name'  => __( 'Email', 'creator-hq' ),
						'value' => $submission['email'],
					),
					array(
						'name'  => __( 'Page', 'creator-hq' ),
						'value' => $submission['page']['url'],
					),
					array(
						'name'  => __( 'When', 'creator-hq' ),
						'value' => $submission['submittedAt'],
					),
				),
			);
		}
		return array(
			'data' => $items,
			'done' => true,
		);
	}

	public static function erase( $email ): array {
		global $wpdb;
		$gone = 0;
		if ( Tables::are_there() ) {
			$address = array( 'address' => Network::hashed_address( (string) $email ) );
			$gone    = (int) $wpdb->delete( Tables::outbox(), $address ) + (int) $wpdb->delete( Tables::recent(), $address );
		}
		return array(
			'items_removed'  => $gone > 0,
			'items_retained' => false,
			'messages'       => Settings::is_connected() ? array( __( 'What Creator HQ itself keeps is erased there, under Contacts.', 'creator-hq' ) ) : array(),
			'done'           => true,
		);
	}

	public static function policy() {
		wp_add_privacy_policy_content(
			'Creator HQ',
			wp_kses_post(
				'<p>' . __( 'When you send yourself a recipe, your email address, the recipe and the time are passed to our own contact system, which emails you what you asked for. You get a newsletter only if you check the box and confirm it in the email. This site keeps the address only while that system cannot be reached, for at most 72 hours, and a code made from your network for 10 minutes against abuse.', 'creator-hq' ) . '</p>'
			)
		);
	}
}
